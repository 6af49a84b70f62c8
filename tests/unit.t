#!/usr/bin/env bash
# Compiles and runs every tests/unit_*.c and unit_*.cpp. Each is linked with common/base, common/table and with the
# sources in its lines "// Links: common/harness/check.c". A unit test exits with status 0 if nothing failed, and prints
# what failed.
. "$(dirname "$0")/lib.sh"

cd "$ROOT" || exit 1
library=()
flags="-O1 -g -fopenmp -Wall -Wextra -Icommon/harness -Icommon/base -Icommon/table -Icommon/stage -Icommon -Icommon/emu\
 -Icommon/emu/include -I$ROOT"
build()
{
    local unit=$1 objects=("${library[@]}") file

    for file in "$unit" $(sed -n 's|^// Links: *||p' "$unit"); do
        objects+=("$TMP/${file//\//_}.o")
        [ ! -e "${objects[-1]}" ] || continue   # of an earlier unit
        case $file in
        *.cpp) g++ -std=c++17 $flags -c "$file" -o "${objects[-1]}" || return ;;
        *) gcc -std=gnu11 $flags -c "$file" -o "${objects[-1]}" || return ;;
        esac
    done
    g++ "${objects[@]}" -fopenmp -o "$TMP/unit" -lm -lpthread -ldl
}
for file in common/base/*.c common/table/*.c; do
    library+=("$TMP/library_$(basename "$file").o")
    ok "$file compiles" gcc -std=gnu11 $flags -c "$file" -o "${library[-1]}"
done
for unit in tests/unit_*.c tests/unit_*.cpp; do
    ok "$unit builds" build "$unit"
    [ $status = 0 ] || continue
    is "$err" '' "$unit builds without a warning"
    ok "$unit passes" env TMPDIR="$TMP" "$TMP/unit"
    unlike "$out" '^not ok' "$unit: no test failed"
done
[ $tests_run -gt 0 ] || fail 'there are unit tests'
done_testing
