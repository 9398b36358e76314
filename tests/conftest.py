"""Settings of all tests."""

import os


def pytest_configure(config):
    # Without compilation the words of the shuffle are numpy scalars, which warn where 64-bit
    # arithmetic wraps around; in compiled kernels that is silent and meant.
    if os.environ.get("NUMBA_DISABLE_JIT", "0") != "0":
        config.addinivalue_line("filterwarnings", "ignore:overflow encountered:RuntimeWarning")
