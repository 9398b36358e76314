# Everything a newcomer needs:  make run   and   make test
# PYTHON names the interpreter that the environment in .venv is made with (3.11 or newer).

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Both cores; a file's tests stay together, so that each kernel is compiled once.
PYTEST := $(BIN)/python -m pytest -n auto --dist loadfile

.PHONY: run test test-long lint types nets bench clean

run: $(VENV)/.installed
	$(BIN)/python experiments/devilsgrip_score_distribution.py --fast --out results
	$(BIN)/python experiments/klondike_win_rates.py --fast --out results

test: $(VENV)/.installed-test
	$(PYTEST)

test-long: $(VENV)/.installed-test
	$(PYTEST) -m slow

lint: $(VENV)/.installed-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.installed-test
	$(BIN)/mypy

# The same kernels with checked indices, and as plain Python.
nets: $(VENV)/.installed-test
	NUMBA_BOUNDSCHECK=1 $(PYTEST) -m kernel_nets
	NUMBA_DISABLE_JIT=1 $(PYTEST) -m kernel_nets

bench: $(VENV)/.installed
	$(BIN)/python benchmarks/signature.py
	$(BIN)/python benchmarks/speed.py

clean:
	rm -rf $(VENV) results build *.egg-info .pytest_cache .hypothesis .mypy_cache .ruff_cache

$(VENV)/.installed: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	    { echo "error: $(PYTHON) is older than Python 3.11; try make PYTHON=python3.12" >&2; exit 2; }
	@echo "making $(VENV) and installing (once) ..." >&2
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/.installed-test: $(VENV)/.installed
	@echo "installing what the tests need (once) ..." >&2
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test]'
	@touch $@
