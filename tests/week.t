#!/usr/bin/env bash
# What the make rules work out of a week's folder without building anything: its header, its settings, where a table is kept, a file's new name.
. "$(dirname "$0")/lib.sh"

ln -s "$ROOT/common" "$TMP/common"
mkdir "$TMP/09_one_two"
cd "$TMP/09_one_two" || exit 1
printf 'WEEK_SETTINGS := MINE\ninclude ../common/week.mk\n' >Makefile
say() { make -s DEVICE=cpu --eval="say-it: ; @echo '\$($1)'" say-it "${@:2}"; }

# --- the header whose function the stages define

run say HEADER
is "$out" '' 'a week without a header'
touch one.h two.h
run say HEADER
is "$out" one.h 'a header of another name'
touch a.h 09_one_two.h one_two.h
run say HEADER
is "$out" one_two.h 'of several headers the one with the name of the week, whatever comes first'

# --- settings of a week

ok 'a setting of the week' say MINE MINE=3
is "$out" 3 'is taken'
fails 2 'one of no week' say MINE YOURS=3
like "$err" 'no stage here has a knob YOURS' 'is not'

# --- keep.sh

keep() { DEVICE=$1 "$ROOT/common/make/keep.sh" "${@:2}"; }
printf '# device: GPU A (x2)\nweek\n' >t.tsv
ok 'keep' keep gpu t.tsv new
is "$out $(ls results)" 'results/GPU_A_x2_/new.tsv GPU_A_x2_' 'puts a table where the results of its GPU are'
[ ! -e t.tsv ] && is "$(sed -n 2p results/GPU_A_x2_/new.tsv)" week 'as it is' || fail 'as it is'
mv results/GPU_A_x2_/new.tsv t.tsv
ok 'keep on the CPU device' keep cpu t.tsv new
is "$out $(ls results/cpu)" 'results/cpu/new.tsv new.tsv' 'puts it there, whatever its rows are about'
printf 'week\n' >t.tsv
fails 1 'a table that names no device' keep gpu t.tsv new
like "$err" 'keep: t.tsv does not say which device it is from' 'is refused'
[ -e t.tsv ] && pass 'and stays' || fail 'and stays'
fails 1 'a table that is not there' keep gpu none.tsv new

# --- a stage whose file has another name than when it was built

mkdir -p "$TMP/bin" build/gpu/obj
printf '#!/bin/sh\n[ "$1" != --list-gpu-code ] || echo sm_90\n' >"$TMP/bin/nvcc"
chmod +x "$TMP/bin/nvcc"
printf '// stage1: a test.\n#include "one_two.h"\n' >stage1_new.cu
printf 'build/gpu/obj/stage1.o: stage1_old.cu one_two.h\none_two.h:\n' >build/gpu/obj/stage1.d
ok 'it is compiled, by its new name' make -n DEVICE=gpu ARCH=sm_90 NVCC="$TMP/bin/nvcc" stage1
like "$out" "-c stage1_new\.cu " 'and none is missed'
done_testing
