#!/usr/bin/env bash
# What a student reads after a typical mistake: each line of mistakes.txt changes a program of tests/mistakes, and names
# the message. With FULL=1 all of them, otherwise every sixth.
. "$(dirname "$0")/lib.sh"

fresh_tree 01_transpose/shared
cd "$TREE" || exit 1
# With one worker, block 0 reports: where each block has a fault, the first one to reach it does.
export EMU_THREADS=1
run_file() { make -s DEVICE=cpu run-file FILE="$1" >"$2" 2>&1; }
for program in tile sum names; do
    cp "tests/mistakes/$program.cu" .
    ok "$program without a mistake is right" run_file "$program.cu" out
    case $program in tile) want='0 wrong' ;; sum) want='2000 2000 8 4' ;; names) want='16 2 5 3 4' ;; esac
    is "$(<out)" "$want" "$program: there is no message"
done
number=0
while IFS= read -r line; do
    case $line in
    '#'* | '' | 'at run time') continue ;;
    esac
    IFS= read -r want
    number=$((number + 1))
    is_full || [ $((number % 6)) = 0 ] || continue
    program=${line%%: *}
    sed "${line#*: }" "tests/mistakes/$program.cu" >"$program.cu"
    if cmp -s "$program.cu" "tests/mistakes/$program.cu"; then
        fail "$line" 'the program is unchanged'
        continue
    fi
    run_file "$program.cu" out
    like "$(<out)" "$want" "$line"
    unlike "$(<out)" 'common/emu|emu_' "no line is about the CPU device: $line"
done <tests/mistakes.txt
holds 'at least 61 mistakes are listed' "$number" -ge 61
done_testing
