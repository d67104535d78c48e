#!/bin/sh
# Has the compiler count coverage only in what is fuzzed. Without it the generators, the judge and the standard
# library are counted too, which costs a fifth of the cases a second and makes inputs "interesting" for nothing:
#
#     go test ./fuzz -run '^$' -fuzz '^FuzzDecodePHP$' -toolexec "$PWD/fuzz/codecs-only.sh"
tool=$1
shift
case $tool in
*/compile) ;;
*) exec "$tool" "$@" ;;
esac
case "$*" in
-V=full) # what is compiled so has a name of its own in the build cache
	version=$("$tool" -V=full) || exit
	echo "$version codecs-only"
	exit
	;;
*"-p phpwire/codec "* | *"-p phpwire/floatfmt "* | *"-p phpwire/frames "*)
	exec "$tool" "$@"
	;;
esac
for argument; do
	shift
	[ "$argument" = -d=libfuzzer ] || set -- "$@" "$argument"
done
exec "$tool" "$@"
