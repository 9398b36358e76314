"""Single machine instructions that numba has no name for.

All take and give 64-bit integers, non-negative ones where bits are looked for. Where numba is told
not to compile (``NUMBA_DISABLE_JIT=1``) plain Python of the same meaning stands in.
"""

from typing import Any

import numba
from llvmlite import ir
from numba import types
from numba.extending import intrinsic
from numba.np.arrayobj import make_array

if numba.config.DISABLE_JIT:

    def trailing_zeros(word: int) -> int:
        word = int(word)
        return (word & -word).bit_length() - 1 if word else 64

    def leading_zeros(word: int) -> int:
        return 64 - int(word).bit_length()

    def set_bits(word: int) -> int:
        return int(word).bit_count()

    def multiply_high(left: int, right: int) -> Any:
        import numpy as np

        return np.uint64(int(left) * int(right) >> 64)

    def prefetch(array: Any, index: int) -> None:
        pass

else:

    @intrinsic
    def trailing_zeros(typingctx: Any, word: Any) -> Any:
        """Zeros below the lowest set bit of an int64; 64 if there is none."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.cttz(args[0], ir.Constant(ir.IntType(1), 0))

        return types.int64(types.int64), codegen

    @intrinsic
    def leading_zeros(typingctx: Any, word: Any) -> Any:
        """Zeros above the highest set bit of an int64; 64 if there is none."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.ctlz(args[0], ir.Constant(ir.IntType(1), 0))

        return types.int64(types.int64), codegen

    @intrinsic
    def set_bits(typingctx: Any, word: Any) -> Any:
        """How many bits of an int64 are set."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.ctpop(args[0])

        return types.int64(types.int64), codegen

    @intrinsic
    def multiply_high(typingctx: Any, left: Any, right: Any) -> Any:
        """Upper 64 bits of the product of two uint64."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            wide = ir.IntType(128)
            product = builder.mul(builder.zext(args[0], wide), builder.zext(args[1], wide))
            return builder.trunc(builder.lshr(product, ir.Constant(wide, 64)), ir.IntType(64))

        return types.uint64(types.uint64, types.uint64), codegen

    @intrinsic
    def prefetch(typingctx: Any, array: Any, index: Any) -> Any:
        """Ask for an element of a contiguous array that will be read soon; changes nothing."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            data = make_array(signature.args[0])(context, builder, args[0]).data
            address = builder.bitcast(builder.gep(data, [args[1]]), ir.IntType(8).as_pointer())
            number = ir.IntType(32)
            kinds = [address.type, number, number, number]
            instruction = builder.module.declare_intrinsic(
                "llvm.prefetch", [address.type], ir.FunctionType(ir.VoidType(), kinds)
            )
            # For reading, to be kept in all caches, of data.
            builder.call(instruction, [address, number(0), number(3), number(1)])
            return context.get_dummy_value()

        return types.void(array, types.int64), codegen
