#!/bin/sh
# Compiles the GPU kernels to PTX text, without the CUDA toolkit. One virtual
# architecture, sm_80, in PTX 7.8: drivers since CUDA 11.8 compile it for the
# A100 and everything newer. The text is written, packed, only if it differs from the text
# that is there: a new comment in a kernel changes no PTX. module.sum names the compiler and
# the checksum of the sources: a test checks that it is up to date, and compiles the kernels
# again where the same compiler is installed.
#
#   generate-ptx.sh [FOLDER]    writes to FOLDER instead of engine/gpu/kernels
set -eu
out=$(realpath "${1:-$(dirname "$0")/../engine/gpu/kernels}")
cd "$(dirname "$0")/../engine/gpu/kernels"
new=$(mktemp)
trap 'rm -f "$new"' EXIT
"${CLANG:-clang-19}" -x cuda --cuda-device-only -nocudainc -nocudalib --cuda-gpu-arch=sm_80 \
	-Xclang -target-feature -Xclang +ptx78 -O3 -S -o "$new" module.cu
if ! gzip -dc "$out/module.ptx.gz" 2>/dev/null | cmp -s - "$new"; then
	gzip -n9 <"$new" >"$out/module.ptx.gz"
fi
printf 'compiled by %s\nfrom sources with SHA-256 %s\n' \
	"$("${CLANG:-clang-19}" --version | head -n 1)" "$(export LC_ALL=C; cat ./*.cu ./*.h | sha256sum | cut -d ' ' -f 1)" >"$out/module.sum"
