#!/usr/bin/env bash
# Compiles the CUDA C++ kernels with nvcc and runs the benchmark, on a machine that has a GPU and a CUDA toolkit and needs no Rust.
#   bench/run.sh [BINARY] [its arguments]
# BINARY is threadwise-bench, built elsewhere; by default the one beside this script, or else in target/release.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)

if [[ $# -gt 0 && $1 != --* ]]; then
    binary=$1
    shift
elif [[ -x $here/threadwise-bench ]]; then
    binary=$here/threadwise-bench
else
    binary=$here/../target/release/threadwise-bench
fi
[[ $binary == */* ]] || binary=./$binary

cubins=$(mktemp -d)
trap 'rm -rf "$cubins"' EXIT
arch=${CUDA_ARCH:-sm_90}
if command -v nvcc >/dev/null; then
    nvcc --version | grep -i release
    for source in "$here"/cuda/*.cu; do
        nvcc -O3 -arch="$arch" -cubin -o "$cubins/$(basename "$source" .cu).cubin" "$source"
    done
    echo "CUDA C++: nvcc -O3 -arch=$arch"
else
    echo "no nvcc: only threadwise is measured"
fi

export THREADWISE_DEVICE=${THREADWISE_DEVICE:-cuda}
"$binary" --check --cubins "$cubins"
"$binary" --cubins "$cubins" "$@"
