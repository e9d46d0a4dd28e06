#!/bin/sh
# Compiles the GPU kernels to PTX text, without the CUDA toolkit. One virtual
# architecture, sm_80, in PTX 7.8: drivers since CUDA 11.8 compile it for the
# A100 and everything newer. The output depends on the compiler's version, so
# that the check in CI uses the same one: clang 19 (Debian package clang-19).
#
#   generate-ptx.sh [FILE]    writes FILE instead of engine/gpu/kernels/module.ptx
set -eu
out=$(realpath "${1:-$(dirname "$0")/../engine/gpu/kernels/module.ptx}")
cd "$(dirname "$0")/../engine/gpu/kernels"
"${CLANG:-clang-19}" -x cuda --cuda-device-only -nocudainc -nocudalib --cuda-gpu-arch=sm_80 \
	-Xclang -target-feature -Xclang +ptx78 -O3 -S -o "$out.new" module.cu
mv "$out.new" "$out"
