#!/bin/sh
# Compiles the GPU kernels to PTX text, without the CUDA toolkit. One virtual
# architecture, sm_80, in PTX 7.8: drivers since CUDA 11.8 compile it for the
# A100 and everything newer. The output depends on the compiler, so the file ends with
# the compiler's version and a checksum of the sources: a test checks that it is up to
# date, and compiles it again where the same compiler is installed.
#
#   generate-ptx.sh [FILE]    writes FILE instead of engine/gpu/kernels/module.ptx
set -eu
out=$(realpath "${1:-$(dirname "$0")/../engine/gpu/kernels/module.ptx}")
cd "$(dirname "$0")/../engine/gpu/kernels"
"${CLANG:-clang-19}" -x cuda --cuda-device-only -nocudainc -nocudalib --cuda-gpu-arch=sm_80 \
	-Xclang -target-feature -Xclang +ptx78 -O3 -S -o "$out.new" module.cu
printf '// compiled by %s\n// from sources with SHA-256 %s\n' \
	"$("${CLANG:-clang-19}" --version | head -n 1)" "$(export LC_ALL=C; cat ./*.cu ./*.h | sha256sum | cut -d ' ' -f 1)" >>"$out.new"
mv "$out.new" "$out"
