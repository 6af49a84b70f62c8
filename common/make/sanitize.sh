#!/bin/sh
# sanitize.sh BUILD PROGRAM...: runs the check of every program under compute-sanitizer's four tools and prints a table.
# --exact gives each array a separate allocation, so that memcheck detects accesses past its end. RUN is a prefix of
# every run, SANITIZER the tool. Exits 1 if a tool reports an error; its output is in BUILD/sanitize.
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
        # 9: an exit status that the programs do not have
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
[ $status = 0 ] || echo "details: $build/sanitize/"
exit $status
