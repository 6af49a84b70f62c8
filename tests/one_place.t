#!/usr/bin/env bash
# Rules that exist once: a new column needs a change of the list of columns and of the code that counts it; a change of
# the claims grammar needs a change of its parser.
. "$(dirname "$0")/lib.sh"

is_full || skip_all 'FULL=1 changes the list of columns and the grammar of claims, and builds the CPU device twice'
fresh_tree 01_transpose/shared
check_small_sizes
rm -rf "$TREE"/0[2-9]_*
cd "$TREE/01_transpose" || exit 1
mk() { make -s DEVICE=cpu "$@"; }

# --- the changes: a column of global loads and stores of a call together; "<>" in place of "!=" in the grammar

sed -i 's|^    X(barriers, .*|&\n    X(global_requests, "global loads and stores together") \\|' \
    ../common/table/columns.h
sed -i 's|^    counts.active_lanes = .*|&\n    counts.global_requests = c->ld_requests + c->st_requests;|' \
    ../common/harness/backend_cpu.c
is "$(diff -r -q "$ROOT/common" ../common | grep -c differ)" 2 'a new column needs a change of two files'
sed -i 's/"!="/"<>"/' ../common/table/claim.c
is "$(diff -r -q "$ROOT/common" ../common | grep -c differ)" 3 'a change of the grammar needs a change of one file'
sed -i '/^.. Expect (cpu, 1024x1024): shared/c\
// Expect (cpu, 1024x1024): global_requests == ld_requests + st_requests\
// Expect (cpu, 1024x1024): ld_requests <> 3 * st_requests\
// Expect (sm_90, 16384x16384): rate <> 1' stage3_padding.cu

# --- the new column

ok 'stage3 builds with the new column and the new grammar' mk stage3
ok 'stage3 runs with the new column' ./stage3 --all
like "$out" '^  global_requests +65536$' 'the report shows the new counter'
like "$out" '^  holds +global_requests == ld_requests \+ st_requests ' 'a claim can name the new column'
is "$(cells results/cpu/rows.tsv global_requests)" 65536 'the row has the new column'
ok 'make claims with the new column' mk claims STAGES=stage3
like "$out" '^  holds +stage3: global_requests == ld_requests \+ st_requests ' 'make claims judges the claim'
ok 'make count COLUMN=global_requests' mk count STAGES='stage0 stage3' COLUMN=global_requests
like "$out" '^stage3 +padding +1024x1024 +65536$' 'make count prints the new column'
run ../build/ladder columns
like "$out" '^global_requests +global loads and stores together$' 'ladder columns lists the new column'
if have gnuplot; then
    ok 'make plots COLUMN=global_requests' mk plots COLUMN=global_requests
    like "$(cat ../plots/out/01_transpose_column.svg 2>&1)" '65[.,]?5' 'make plots draws the new column'
else
    skip 'make plots draws the new column' 'gnuplot is not installed'
fi
run ../build/ladder claims --device gpu ../plots/data/h200/01_transpose.ladder.tsv -- stage3_padding.cu
is "$status" 0 'older tables without the new column are read'

# --- the new grammar

ok 'stage3 runs with the new grammar' ./stage3 --all
like "$out" '^  holds +ld_requests <> 3 \* st_requests ' 'the program accepts the new grammar'
ok 'make claims with the new grammar' mk claims STAGES=stage3
like "$out" '^  holds +stage3: ld_requests <> 3 ' 'make claims accepts the new grammar'
run ../build/ladder claims --device gpu ../plots/data/h200/01_transpose.ladder.tsv -- stage3_padding.cu
like "$out" '^  holds +stage3: rate <> 1 ' 'the check of recorded runs accepts the new grammar'
sed -i 's|<>|!=|' stage3_padding.cu
mk stage3 >/dev/null 2>&1
for command in ./stage3 'make -s DEVICE=cpu claims STAGES=stage3' \
    '../build/ladder claims --device gpu ../plots/data/h200/01_transpose.ladder.tsv -- stage3_padding.cu'; do
    fails 2 "the old grammar is refused: $command" $command
    like "$err" 'one of == <> <= >= < > expected' "the message lists the comparisons: $command"
done
done_testing
