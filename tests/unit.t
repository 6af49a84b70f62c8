#!/usr/bin/env bash
# Compiles and runs every tests/unit_*.c and unit_*.cpp. A line "// Links: common/harness/stats.c" in its head names the sources that it is linked with,
# from the top folder; it succeeds with status 0 and says what is wrong on stdout or stderr.
. "$(dirname "$0")/lib.sh"

cd "$ROOT" || exit 1
flags="-O1 -g -Wall -Wextra -Icommon/harness -Icommon/table -Icommon/stage -Icommon -Icommon/emu/include -I$ROOT"
build()
{
    local unit=$1 file objects=()

    for file in "$unit" $(sed -n 's|^// Links: *||p' "$unit"); do
        local object=$TMP/$(tr / _ <<<"$file").o
        case $file in
        *.cpp) g++ -std=c++17 $flags -c "$file" -o "$object" || return ;;
        *) gcc -std=gnu11 $flags -c "$file" -o "$object" || return ;;
        esac
        objects+=("$object")
    done
    g++ "${objects[@]}" -o "$TMP/unit" -lm -lpthread -ldl
}
for unit in tests/unit_*.c tests/unit_*.cpp; do
    [ -e "$unit" ] || continue
    ok "$unit builds" build "$unit"
    [ $status = 0 ] || continue
    is "$err" '' "$unit builds without a warning"
    ok "$unit passes" env TMPDIR="$TMP" "$TMP/unit"
    unlike "$out" '^not ok' "$unit: nothing it tried failed"
done
[ $tests_run -gt 0 ] || fail 'there are unit tests'
done_testing
