#!/bin/bash -eu
# Builds every native fuzz target of this module as a libFuzzer binary into $OUT.
#
# ClusterFuzzLite and OSS-Fuzz run it in their builder image, with SRC, OUT, CXX,
# CXXFLAGS and LIB_FUZZING_ENGINE set. fuzz/libfuzzer.sh runs it anywhere else.
#
#   TARGETS   the targets to build (default: every Fuzz function of fuzz/fuzz_test.go)

tool=github.com/AdamKorcz/go-118-fuzz-build@v0.0.0-20250520111509-a70c2aa677fa
: "${TARGETS:=$(sed -n 's/^func \(Fuzz[A-Za-z0-9_]*\)(f \*testing\.F).*/\1/p' fuzz/fuzz_test.go)}"

go install "$tool"
builder="$(go env GOPATH)/bin/go-118-fuzz-build"
# The archive's main package imports the tool's own package testing.
go get "${tool%@*}/testing@${tool#*@}"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for target in $TARGETS; do
    "$builder" -func "$target" -o "$work/$target.a" ./fuzz
    # shellcheck disable=SC2086  # they are lists of flags
    $CXX ${CXXFLAGS:-} $LIB_FUZZING_ENGINE "$work/$target.a" -o "$OUT/$target"
done

# The PHP that judges, with the libraries that it needs beyond those of any system:
# the machines that run the binaries may have none. Targets find it beside them.
if php=$(command -v php); then
    mkdir -p "$OUT/php/lib"
    cp -L "$php" "$OUT/php/php.bin"
    ldd "$php" | sed -n 's/.*=> \(\/[^ ]*\).*/\1/p' | grep -vE '/(libc|libm|libdl|librt|libpthread|libresolv)\.so' |
        xargs -r cp -Lt "$OUT/php/lib"
    cat >"$OUT/php/php" <<'SCRIPT'
#!/bin/sh
here=${0%/*}
LD_LIBRARY_PATH="$here/lib" exec "$here/php.bin" "$@"
SCRIPT
    chmod +x "$OUT/php/php"
fi
