#!/usr/bin/env bash
# Hopper's asynchronous instructions on the CPU device: copies, mbarriers, products of warpgroups, and the faults that it reports.
. "$(dirname "$0")/lib.sh"

here=$ROOT/tests/emu
ok 'the programs build' emu_programs hopper hopper_faults
is "$err" "" 'the programs build without a message'

for early in 0 1; do
    when=$([ $early = 0 ] && echo late || echo early)
    run timeout 60 "$built/hopper" $([ $early = 0 ] || echo early)
    is "$status" 0 "operations that take effect $when: exit status 0"
    is "1..$(grep -c '^ok' <<<"$out")" "$(tail -n 1 <<<"$out")" "operations that take effect $when: every test passes"
    grep -A1 '^not ok' <<<"$out" | sed 's/^/# /'
done

# Each fault is reported at the line after its comment; the correct program beside it runs without a message.
for workers in 1 $(is_full && echo 2) 5; do
    export EMU_THREADS=$workers
    last=
    while IFS=: read -r line rest; do
        line=$(awk -v from="$line" 'NR > from && !/^ *\/\// { print NR; exit }' "$here/hopper_faults.cu")
        rest=${rest#*FAULT }
        name=${rest%%:*}
        text=${rest#*: }
        if [ "$name" != "$last" ]; then
            run timeout 60 "$built/hopper_faults" "$name"
            is "$status" 1 "$name: exit status 1, $workers workers"
            last=$name
        fi
        like "$err" "^hopper_faults\.cu:$line: .*$text" "$name: reported at line $line, $workers workers"
    done < <(grep -n '// FAULT' "$here/hopper_faults.cu")
    for name in $("$built/hopper_faults"); do
        run timeout 60 "$built/hopper_faults" "ok_$name"
        is "$status $err" '0 ' "ok_$name: nothing is reported, $workers workers"
    done
done
unset EMU_THREADS
done_testing
