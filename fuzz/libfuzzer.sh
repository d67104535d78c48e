#!/bin/bash -eu
# Builds fuzz targets as libFuzzer binaries on this machine, by the same build step
# as ClusterFuzzLite (.clusterfuzzlite/build.sh), and runs each for some seconds.
# The module itself is not touched: a copy is built.
#
#   fuzz/libfuzzer.sh [-s SECONDS] [-o FOLDER] [TARGET...]     default: 10 s, all targets
#
# Needs clang and its libFuzzer: apt-get install clang libclang-rt-14-dev

seconds=10 out=
while getopts s:o: option; do
    case $option in
    s) seconds=$OPTARG ;;
    o) out=$OPTARG ;;
    *) exit 2 ;;
    esac
done
shift $((OPTIND - 1))

command -v clang >/dev/null || { echo "there is no clang; to get it: apt-get install clang libclang-rt-14-dev" >&2; exit 2; }

cd "$(dirname "$0")/.."
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
mkdir "$copy/src" "$copy/out"
git ls-files -z --cached --others --exclude-standard | xargs -0 cp --parents -t "$copy/src"

export OUT=${out:-$copy/out} CXX=clang LIB_FUZZING_ENGINE=-fsanitize=fuzzer
mkdir -p "$OUT"
OUT=$(cd "$OUT" && pwd)
cd "$copy/src"
TARGETS="$*" .clusterfuzzlite/build.sh

cd "$copy"
for target in "$OUT"/Fuzz*; do
    [ -x "$target" ] && [ -f "$target" ] || continue
    echo "== $(basename "$target")"
    mkdir -p "corpus/$(basename "$target")"
    "$target" -max_total_time="$seconds" -print_final_stats=1 "corpus/$(basename "$target")" 2>&1 | tail -n 12
done
