#!/usr/bin/env bash
# What the make rules find out about a week's folder without building anything: its function, and a file's new name.
. "$(dirname "$0")/lib.sh"

ln -s "$ROOT/common" "$TMP/common"
mkdir "$TMP/09_one_two"
cd "$TMP/09_one_two" || exit 1
use_ladder
mkdir "$TMP/build" && cp -a "$LADDER" "$TMP/build"
printf 'include ../common/make/week.mk\n' >Makefile
say() { make -s DEVICE=cpu --eval="./say-it: ; @echo '\$($1)'" ./say-it "${@:2}"; }

# --- the function that the stages define, and its header

run say ENTRY
is "$out" one_two 'the function has the name of the week'
touch one_two.h

# --- a stage whose file was renamed after a build

mkdir -p "$TMP/bin" build/gpu/obj
printf '#!/bin/sh\n[ "$1" != --list-gpu-code ] || echo sm_90\n' >"$TMP/bin/nvcc"
chmod +x "$TMP/bin/nvcc"
printf '// stage1: a test.\n#include "one_two.h"\n' >stage1_new.cu
printf 'build/gpu/obj/stage1.o: stage1_old.cu one_two.h\none_two.h:\n' >build/gpu/obj/stage1.d
ok 'a stage is made after its file was renamed' make -n DEVICE=gpu ARCH=sm_90 NVCC="$TMP/bin/nvcc" stage1
like "$out" "-c stage1_new\.cu " 'the stage is compiled from the renamed file'
done_testing
