#!/usr/bin/env bash
# Rules that exist once: a new column touches the list of columns and the place that counts it; a change of the claims grammar touches its parser.
. "$(dirname "$0")/lib.sh"

fresh_tree 01_transpose/shared
rm -rf "$TREE"/0[2-9]_*
cd "$TREE/01_transpose" || exit 1
mk() { make -s DEVICE=cpu "$@"; }

# --- a column: the lines of global loads and stores of a call, together

sed -i 's|^    X(barriers, .*|&\n    X(global_requests, "global loads and stores together") \\|' ../common/table/columns.h
sed -i 's|^    counts.barriers = .*|&\n    counts.global_requests = c->ld_requests + c->st_requests;|' ../common/harness/backend_cpu.c
is "$(diff -r -q "$ROOT/common" ../common | grep -c differ)" 2 'two files are edited'
sed -i 's|^// Expect (cpu, 1024x1024): shared.*|// Expect (cpu, 1024x1024): global_requests == ld_requests + st_requests|' stage3_padding.cu
ok 'everything builds' mk stage3
ok 'the stage runs' ./stage3
like "$out" '^  global_requests +65536$' 'its report shows the new counter'
like "$out" '^  holds +global_requests == ld_requests \+ st_requests ' 'a claim may name it'
is "$(cells results/cpu/stage3.tsv global_requests)" 65536 'its row has it'
ok 'make claims' mk claims STAGES=stage3
like "$out" '^  holds +stage3: global_requests == ld_requests \+ st_requests ' 'judges the claim'
ok 'make count COLUMN=global_requests' mk count STAGES='stage0 stage3' COLUMN=global_requests
like "$out" '^stage3 +padding +1024x1024 +65536$' 'prints a table of it'
run ../build/ladder columns
like "$out" '^global_requests +global loads and stores together$' 'ladder columns explains it'
if have gnuplot; then
    ok 'make plots COLUMN=global_requests' mk plots COLUMN=global_requests
    like "$(cat ../plots/out/01_transpose_column.svg 2>&1)" '65[.,]?5' 'draws a figure of it'
else
    skip 'a figure of the new column' 'gnuplot is not here'
fi
run ../build/ladder claims --device gpu ../plots/data/h200/01_transpose.ladder.tsv -- stage3_padding.cu
is "$status" 0 'older tables, which lack the column, are read'

# --- the grammar: "<>" in place of "!="

sed -i 's/"!="/"<>"/' ../common/table/claim.c
is "$(diff -r -q "$ROOT/common" ../common | grep -c differ)" 3 'one file more is edited'
sed -i 's|^// Expect (cpu, 1024x1024): .*|// Expect (cpu, 1024x1024): ld_requests <> 3 * st_requests\n// Expect (sm_90, 16384x16384): rate <> 1|' stage3_padding.cu
ok 'it builds' mk stage3
ok 'the stage runs' ./stage3
like "$out" '^  holds +ld_requests <> 3 \* st_requests ' 'and takes the new grammar'
ok 'make claims' mk claims STAGES=stage3
like "$out" '^  holds +stage3: ld_requests <> 3 ' 'does, too'
run ../build/ladder claims --device gpu ../plots/data/h200/01_transpose.ladder.tsv -- stage3_padding.cu
like "$out" '^  holds +stage3: rate <> 1 ' 'as does the check of recorded runs'
sed -i 's|<>|!=|' stage3_padding.cu
mk stage3 >/dev/null 2>&1
for command in ./stage3 'make -s DEVICE=cpu claims STAGES=stage3' '../build/ladder claims --device gpu ../plots/data/h200/01_transpose.ladder.tsv -- stage3_padding.cu'; do
    fails 2 "the old grammar is refused: $command" $command
    like "$err" 'one of == <> <= >= < > expected' 'with what is expected'
done
done_testing
