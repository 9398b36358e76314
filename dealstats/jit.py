"""The one way in which this library compiles its kernels.

Numba's own disk cache looks only at the file that defines the compiled function, so editing a
callee in another file would leave a stale kernel in use. Here the cache folder carries a hash of
every source file in the folders of this file, of the kernel and of all kernels that it calls, of
the numba version and of the processor, so that nothing stale can be found. (Only numbers and
tables from a folder of which no kernel is called are not followed.)

The environment variable ``DEALSTATS_KERNEL_CACHE`` names another folder for the cache; ``off``
turns it off.
"""

import functools
import hashlib
import os
import sys
import tempfile
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import llvmlite.binding
import numba

JIT_OPTIONS: dict[str, Any] = {
    "nogil": True,
    "error_model": "numpy",
    # Without numba's run-time a kernel cannot allocate, but nor does it count references to its
    # arguments, which took longer than the moves themselves.
    "_nrt": False,
}
NUMBA_CONFIG: Any = numba.config
CACHE_VARIABLE = "DEALSTATS_KERNEL_CACHE"


def kernel(function: Callable[..., Any]) -> Any:
    """Compile a kernel: no Python objects, no allocation, no interpreter lock, cached on disk.

    Division follows C (no checks for zero), and out-of-bounds indices are caught only where
    ``NUMBA_BOUNDSCHECK`` asks for it.
    """
    return _compile(function, inline="never")


def inlined_kernel(function: Callable[..., Any]) -> Any:
    """Like :func:`kernel`, for small functions that every caller should take in whole."""
    return _compile(function, inline="always")


def kernel_from(template: Callable[..., Any], name: str, **names: Any) -> Any:
    """Compile a plain function with some of the global names it uses bound to other values.

    A closure over another kernel would do the same, but numba caches no such closure from one
    process to the next. `name` keeps the kernels of one template apart.
    """
    function = types.FunctionType(template.__code__, {**template.__globals__, **names}, name)
    function.__qualname__ = name
    return kernel(function)


def _compile(function: Callable[..., Any], inline: str) -> Any:
    sources = [_source(each) for each in _with_callees(function)]
    # What was typed at a prompt has no file whose change could be noticed.
    cacheable = all(source.is_file() for source in sources)
    folders = frozenset(source.parent for source in [*sources, Path(__file__).resolve()])
    folder = _cache_folder(sources[0].parent, folders) if cacheable else None
    njit: Any = numba.njit
    jit = njit(**JIT_OPTIONS, inline=inline, cache=folder is not None)
    # Numba takes the folder from its global configuration at the moment of decoration; other
    # users of numba in this process keep their own.
    caller_folder = NUMBA_CONFIG.CACHE_DIR
    NUMBA_CONFIG.CACHE_DIR = folder or caller_folder
    try:
        return jit(function)
    finally:
        NUMBA_CONFIG.CACHE_DIR = caller_folder


def _source(function: Callable[..., Any]) -> Path:
    return Path(function.__code__.co_filename).resolve()


def _with_callees(function: Callable[..., Any]) -> list[Callable[..., Any]]:
    """A function and all kernels that it calls, directly or not."""
    functions = [function]
    for caller in functions:
        for name in caller.__code__.co_names:
            callee = getattr(caller.__globals__.get(name), "py_func", None)
            if callee is not None and callee not in functions:
                functions.append(callee)
    return functions


@functools.cache
def _cache_folder(package: Path, source_folders: frozenset[Path]) -> str | None:
    """The cache folder for the kernels of `package`, or None where nothing can be cached."""
    wish = os.environ.get(CACHE_VARIABLE, "")
    if wish == "off":
        return None
    root = Path(wish) if wish else _user_cache()
    folder = root / f"{package.name}-{_fingerprint(source_folders)}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError as error:
        _note(f"kernels are compiled anew, {root} cannot be written: {error.strerror}")
        return None
    return str(folder)


@functools.cache
def _note(text: str) -> None:
    """Say something on stderr, once."""
    print(f"note: {text}", file=sys.stderr)


def _user_cache() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "dealstats"


def _fingerprint(source_folders: frozenset[Path]) -> str:
    digest = hashlib.sha256()
    for folder in sorted(source_folders):
        for source in sorted(folder.glob("*.py")):
            digest.update(source.name.encode() + source.read_bytes())
    processor = llvmlite.binding.get_host_cpu_name()
    digest.update(f"{numba.__version__} {processor} {NUMBA_CONFIG.BOUNDSCHECK}".encode())
    return digest.hexdigest()[:16]
