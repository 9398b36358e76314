"""The one way in which this library compiles its kernels.

Numba's own disk cache looks only at the file that defines the compiled function, so editing a
callee in another file would leave a stale kernel in use. Here the cache folder carries a hash of
every source file of this package and of the kernel's package, of the numba version and of the
processor, so that nothing stale can be found.

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

CACHE_VARIABLE = "DEALSTATS_KERNEL_CACHE"


def kernel(function: Callable[..., Any]) -> Any:
    """Compile a kernel: no Python objects, no interpreter lock, cached on disk.

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
    folder = _cache_folder(Path(function.__code__.co_filename).parent)
    jit = numba.njit(
        nogil=True,
        _nrt=False,
        error_model="numpy",
        inline=inline,
        cache=folder is not None,
    )
    # Numba takes the folder from its global configuration at the moment of decoration; other
    # users of numba in this process keep their own.
    caller_folder = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = folder or caller_folder
    try:
        return jit(function)
    finally:
        numba.config.CACHE_DIR = caller_folder


@functools.cache
def _cache_folder(package: Path) -> str | None:
    """The cache folder for the kernels of `package`, or None where nothing can be cached."""
    wish = os.environ.get(CACHE_VARIABLE, "")
    if wish == "off":
        return None
    root = Path(wish) if wish else _user_cache()
    folder = root / f"{package.name}-{_fingerprint(package)}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError as error:
        print(
            f"note: kernels are compiled anew, {folder} cannot be written: {error}",
            file=sys.stderr,
        )
        return None
    return str(folder)


def _user_cache() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "dealstats"


def _fingerprint(package: Path) -> str:
    digest = hashlib.sha256()
    for folder in sorted({Path(__file__).parent, package}):
        for source in sorted(folder.glob("*.py")):
            digest.update(source.name.encode() + source.read_bytes())
    processor = llvmlite.binding.get_host_cpu_name()
    digest.update(f"{numba.__version__} {processor} {numba.config.BOUNDSCHECK}".encode())
    return digest.hexdigest()[:16]
