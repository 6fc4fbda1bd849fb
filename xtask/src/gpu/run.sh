#!/usr/bin/env bash
# Runs the programs of this bundle on a GPU: each name, exit code and time, then a summary. Fails when one fails.
#   ./run.sh [examples] [tests] [tests-dev] [bench]      all of them where none is named
# Variables: PROGRAM_SECONDS, the longest that a program may take (300); BENCH_JSON, where the benchmark writes its results.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
export THREADWISE_DEVICE=${THREADWISE_DEVICE:-cuda}
# Where tests look for their snapshots.
export CARGO_MANIFEST_DIR=$here/package
limit=${PROGRAM_SECONDS:-300}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1

ran=0
failed=()

# run NAME COMMAND...
run() {
    local name=$1 start end code=0
    shift
    echo "=== $name"
    start=$(date +%s.%N)
    timeout "$limit" "$@" 2>&1 || code=$?
    end=$(date +%s.%N)
    printf -- '--- %s: exit code %s, %.1f s\n' "$name" "$code" "$(awk "BEGIN { print $end - $start }")"
    ran=$((ran + 1))
    [[ $code == 0 ]] || failed+=("$name")
}

nvidia-smi --query-gpu=name,driver_version --format=csv,noheader || echo "no nvidia-smi"
[[ $# -gt 0 ]] || set -- examples tests tests-dev bench
for group in "$@"; do
    case $group in
        examples) for program in "$here"/examples/*; do run "examples/$(basename "$program")" "$program"; done ;;
        # One at a time: the tests of a program share the device, and a kernel's panic is reported by whoever waits next.
        tests | tests-dev)
            for program in "$here/$group"/*; do
                [[ -e $program ]] || continue
                run "$group/$(basename "$program")" "$program" --test-threads=1 --quiet
            done
            ;;
        bench) run bench "$here/bench/run.sh" ${BENCH_JSON:+--json "$BENCH_JSON"} ;;
        *) echo "unknown group $group" && exit 2 ;;
    esac
done

echo "=== $ran programs, ${#failed[@]} failed${failed[*]:+: ${failed[*]}}"
[[ $ran -gt 0 && ${#failed[@]} == 0 ]]
