#!/bin/sh
# sanitize.sh BUILD PROGRAM...: compute-sanitizer's four tools over the check of every program, as a table; each array in an allocation of its
# own (--exact), or memcheck could not see the end of one. RUN is a prefix for running,
# SANITIZER the tool. Exits 1 if one of them finds an error; what it said is in BUILD/sanitize.
build=$1
shift

if ! $RUN $SANITIZER --version >/dev/null 2>&1 </dev/null; then
    echo "SKIP: make sanitize needs compute-sanitizer (of the CUDA Toolkit), and there is no $SANITIZER here"
    exit 0
fi
mkdir -p "$build/sanitize"
status=0
printf '%-10s %-10s %-10s %-10s %s\n' '' memcheck racecheck initcheck synccheck
for program; do
    stage=${program##*/}
    printf '%-10s' "$stage"
    for tool in memcheck racecheck initcheck synccheck; do
        log=$build/sanitize/$stage.$tool.log
        # 9: none of the program's own
        $RUN $SANITIZER --tool $tool --error-exitcode 9 "./$program" --check --exact >"$log" 2>&1 </dev/null
        case $? in
        0) word=ok ;;
        77) word=skip ;;
        9) word=ERROR; status=1 ;;
        *) word=FAILED; status=1 ;;
        esac
        printf ' %-10s' $word
    done
    echo
done
[ $status = 0 ] || echo "what they said: $build/sanitize/"
exit $status
