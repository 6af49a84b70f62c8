#!/usr/bin/env bash
# make: what it finds, builds, rebuilds and refuses. On the CPU device, in a copy of the tree.
. "$(dirname "$0")/lib.sh"

fresh_tree 01_transpose/shared
rm -rf "$TREE"/0[2-9]_*   # one week is enough
cd "$TREE/01_transpose" || exit 1
mk() { make -s DEVICE=cpu "$@"; }
built_at() { stat -c %y "$1"; }

# --- finding

ok 'make list' mk list
is "$(awk '{ print $1 }' <<<"$out" | head -n 4 | tr '\n' ' ')" 'stage0 stage1 stage2 stage3 ' 'list gives one stage a line, its name first'
is "$(wc -l <<<"$out" | tr -d ' ')" "$(ls stage[0-9]*_*.cu | wc -l | tr -d ' ')" 'list gives every stage'
like "$out" '^stage3 +padding +core +shared-memory padding \(no bank conflicts\)' 'list gives the lesson'

cp stage3_padding.cu stage12_mine.cu
run mk list
is "$(tail -n 1 <<<"$out" | awk '{ print $1, $2 }')" 'stage12 mine' 'stage12 comes after stage2, by number'
ok 'a new stage is built with no edit' mk stage12
ok 'and runs' ./stage12 --bench
like "$out" 'stage12 mine' 'and knows its name'
ok 'and is in make run' mk run STAGES='stage3 stage12'
like "$out" '^stage12 +mine +1024x1024 ' 'and in the table of make run'
[ -s results/cpu/stage12.tsv ] && pass 'and in the results, from which figures are drawn' || fail 'and in the results, from which figures are drawn'
if have gnuplot; then
    ok 'make plots' mk plots
    like "$out" '^counts: plots/out/01_transpose_counts.svg, from 01_transpose/results/cpu/' 'says where the counts are from'
    like "$(cat ../plots/out/01_transpose_counts.svg)" '12 mine|>stage12<' 'and a new stage is in their figure'
    mv stage12_mine.cu aside
    run mk plots
    unlike "$(cat ../plots/out/01_transpose_counts.svg)" '12 mine|>stage12<' 'until it is removed'
    mv aside stage12_mine.cu
else
    skip 'make plots' 'gnuplot is not here'
fi

cp stage3_padding.cu stage3_other.cu
fails 2 'two files with one number' mk list
like "$err" 'stage3: two files have this name: stage3_other.cu stage3_padding.cu' 'both are named'
mv stage3_other.cu stage3b_other.cu
fails 2 'a misnamed stage' mk list
like "$err" 'stage3b_other.cu: expected stageNUMBER_name.cu' 'it is named'
rm stage3b_other.cu
cp stage3_padding.cu 'stage3_padding (copy).cu'
fails 2 'a stage with a space in its name' mk list
rm 'stage3_padding (copy).cu'
fails 2 'STAGES with an unknown stage' mk run STAGES='stage3 stage99'
like "$err" 'there is no stage99' 'it is named'

# --- knobs

ok 'make stage3' mk stage3
is "$(readlink stage3)" build/cpu/stage3 'stage3 is linked to'
ok 'make stage3 TILE=16' mk stage3 TILE=16
is "$(readlink stage3)" build/cpu/stage3@TILE=16 'a build with knobs is a program of its own'
ok 'it runs' ./stage3 --bench --size 64x64
like "$(cat results/cpu/stage3.tsv)" '64x64	TILE=16	' 'its knobs are in its row'
run ./stage3 --size 64x64
like "$out" '16x16 threads' 'and in its kernel'
unlike "$out" 'recorded' 'what was recorded of the plain program is not said of it'
before=$(built_at build/cpu/stage3@TILE=16)
ok 'make stage3 again' mk stage3
is "$(readlink stage3)" build/cpu/stage3 'without knobs it is the plain program again'
ok 'make stage3 TILE=16 again' mk stage3 TILE=16
is "$(built_at build/cpu/stage3@TILE=16)" "$before" 'nothing is built twice'
ok 'two knobs' mk stage4 ROWS=4 TILE=16
is "$(readlink stage4)" build/cpu/stage4@TILE=16,ROWS=4 'are ordered as in the file, however they were given'
run ./stage4 --size 64x64
like "$out" '^  recorded: [0-9]+ GB/s' 'what was recorded with the same knobs is shown'
like "$out" '^ +[0-9]+  .{49}\.\.\. shared load ' 'a source line that is too long for the table ends in ...'
fails 2 'an unknown knob' mk stage3 TIEL=16
is "$(grep -c . <<<"$err")" 1 'is refused in one line'
like "$err" 'stage3 has no knob TIEL; it has TILE' 'that names the knobs there are'
fails 2 'a knob that no stage has' mk run ROWZ=3
like "$err" 'no stage here has a knob ROWZ' 'is refused'
for value in '' '1 6' 'a/b' '$x' "it's" '16;id'; do
    fails 2 "TILE='$value'" mk stage3 TILE="$value"
    like "$err" 'a knob takes one word' 'is refused'
done
fails 2 'a value that does not compile' mk stage3 TILE=banana
[ ! -e build/cpu/stage3@TILE=banana ] && pass 'leaves no program' || fail 'leaves no program'

ok 'make knobs' mk knobs STAGE=stage4 TILE=16,32,banana ROWS=4,8
is "$(awk -F'\t' '/^week/ { for (i = 1; i <= NF; i++) at[$i] = i; next } !/^#/ { print $at["knobs"] "," $at["status"] }' results/cpu/knobs.tsv | sort |
    tr '\n' ' ')" 'TILE=16 ROWS=4,ok TILE=16 ROWS=8,ok TILE=32 ROWS=4,ok TILE=32 ROWS=8,ok TILE=banana ROWS=4,error TILE=banana ROWS=8,error ' \
    'has a row for every combination, those that failed included'
fails 2 'make knobs without a stage' mk knobs
like "$err" 'expected STAGE and a knob: make knobs STAGE=' 'says how to say it'
fails 2 'make knobs with an unknown knob' mk knobs STAGE=stage4 FOO=1,2
like "$err" 'stage4 has no knob FOO' 'says so'

# --- rebuilding

ok 'stage0' mk stage0
before=$(built_at build/cpu/stage0)
ok 'stage0 again' mk stage0
is "$(built_at build/cpu/stage0)" "$before" 'is not built again'
sleep 0.01; touch transpose.h
ok 'after a change of a header' mk stage0
[ "$(built_at build/cpu/stage0)" != "$before" ] && pass 'it is' || fail 'it is'
before=$(built_at build/cpu/stage0)
cp -a build "$TMP/build"
ok 'with other flags' mk stage0 CXXFLAGS='-DOTHER -O0 -flto'
[ "$(built_at build/cpu/stage0)" != "$before" ] && pass 'it is, too' || fail 'it is, too'
run ./stage0 --bench --size 64x64
like "$out" 'loads 128 x 4 sectors  stores 128 x 4 sectors' 'and counts as before, also with -flto'
ok 'with flags that leave out the calls that count' mk stage0 CXXFLAGS=-fno-sanitize=thread
run ./stage0 --bench --size 64x64
is "$status $(grep -c . <<<"$err")" '3 1' 'it ends with one line'
like "$err" 'compiled without -fsanitize=thread.* check CXXFLAGS' 'that says why nothing can be counted'
rm -rf build; mv "$TMP/build" build
printf '// stage13: nothing.\n#include "transpose.h"\nint x = y;\n' >stage13_broken.cu
fails 2 'a stage that does not compile' mk stage13
like "$err" '^stage13_broken\.cu:3:.* error' 'the error has the line of the .cu file'
[ ! -e build/cpu/stage13 ] && [ ! -e build/cpu/obj/stage13.o ] && pass 'nothing half made is left' || fail 'nothing half made is left'

sed '/^void/s/int cols/long cols/' stage1_naive.cu >stage13_broken.cu
fails 2 'a stage with a wrong signature' mk stage13
like "$err" 'undefined reference' 'gives the error of the linker'
like "$err" 'hint: stage13_broken.cu must define exactly what transpose.h declares' 'and a hint'
like "$err" '^    void transpose\(const float \*in, float \*out, int rows, int cols\);' 'with the prototype'
rm stage13_broken.cu

# --- two makes at once, in a tree where nothing is built: with compilers that write an object in two pieces, and that refuse to link half of one

mkdir "$TMP/slow"
cat >"$TMP/slow/compiler" <<'EOF'
#!/bin/sh
for word; do
    [ "$before" != -o ] || object=$word
    case $before$word in *.o.d|*.o) inputs="$inputs $word" ;; esac
    before=$word
done
case " $* " in
*' -shared '*) exit 1 ;;
*/ladder*|*/source_pass*|*' -E '*|*' -v '*) exec "$REAL" "$@" ;;
*' -c '*) printf half >"$object"; sleep 0.15; echo whole >>"$object" ;;
*)
    for input in $inputs; do
        [ "$(cat "$input")" = halfwhole ] || { echo "$input: not whole" >&2; exit 1; }
    done
    echo program >"$object"
    ;;
esac
EOF
printf '#!/bin/sh\nREAL=gcc exec "%s/slow/compiler" "$@"\n' "$TMP" >"$TMP/slow/cc"
printf '#!/bin/sh\nREAL=g++ exec "%s/slow/compiler" "$@"\n' "$TMP" >"$TMP/slow/c++"
chmod +x "$TMP"/slow/*
mv build "$TMP/built"
mv ../build "$TMP/tools"
for i in 1 2; do
    (mk stage0 stage3 CC="$TMP/slow/cc" CXX="$TMP/slow/c++" >"$TMP/make$i" 2>&1 || echo "exit status $?" >>"$TMP/make$i") &
    sleep 0.1
done
wait
is "$(cat "$TMP/make1" "$TMP/make2")" '' 'two makes at once both succeed'
is "$(cat build/cpu/stage0 build/cpu/stage3)" $'program\nprogram' 'and leave whole programs'
is "$(find build ../build -name '*.[0-9][0-9]*')" '' 'and no unfinished files'
rm -rf build ../build
mv "$TMP/built" build
mv "$TMP/tools" ../build

# --- what this device cannot run

sed '1a // Needs: sm_90' stage3_padding.cu >stage14_newer.cu
ok 'a stage that needs sm_90 is linked all the same' mk stage14
fails 77 'and skips' ./stage14
like "$out$err" '^SKIP: stage14: needs sm_90' 'saying what it needs'
like "$out" '^stage14 newer: shared-memory padding' 'after its lesson'
ok 'and fails no run' mk run STAGES='stage3 stage14'
ok 'nor a check' mk check STAGES='stage3 stage14'
rm stage14_newer.cu

# --- runs that fail

sed 's/in\[y \* cols + x\]/2 * in[y * cols + x]/' stage1_naive.cu >stage2_wrong.cu
mv stage2_coalesced.cu aside
fails 2 'make run with a stage that is wrong' mk run STAGES='stage2 stage3'
like "$out" '^stage3 +padding' 'runs the others all the same'
fails 2 'make check with a stage that is wrong' mk check STAGES='stage2 stage3'
like "$out" 'stage3 padding: [0-9]+ right, 0 wrong' 'checks the others all the same'
rm stage2_wrong.cu; mv aside stage2_coalesced.cu
sed 's/if (x < cols && y < rows)/if (true)/' stage1_naive.cu >stage13_wrong.cu
ok 'a stage that reads out of bounds' mk stage13
fails 1 'is diagnosed' ./stage13
like "$err" '^stage13: the problem size was 1x1$' 'with the size at which it was'
ok 'make claims' mk claims STAGES='stage2 stage3'
sed 's/^\(.. Expect (cpu, 1024x1024): shared_wavefronts ==\).*/\1 2 * shared_requests/' stage3_padding.cu >stage13_wrong.cu
fails 2 'make claims with a claim that does not hold' mk claims STAGES='stage3 stage13'
like "$out" 'does not hold' 'says so'
sed 's/^.. Expect (cpu, 1024x1024): shared.*/\/\/ Expect (cpu, 96x160, float): ld_requests == stage2.ld_requests/' stage3_padding.cu >stage13_wrong.cu
ok 'make claims about another size, with a type' mk claims STAGES='stage2 stage13'
like "$out" '^  holds +stage13: ld_requests == stage2.ld_requests \(96x160(, float)?\)' 'runs the other stage there first'
cp stage2_coalesced.cu aside
sed -i 's/__syncthreads();/& volatile float again = in[0]; (void)again;/' stage2_coalesced.cu
ok 'another build of the other stage' mk stage2
ok 'run at a third size' ./stage2 --bench --size 64x64
fails 2 'make claims then' mk claims STAGES='stage2 stage13'
like "$out" '^  does not hold +stage13: ld_requests == stage2.ld_requests \(96x160(, float)?\)' 'takes no row of the build before'
mv aside stage2_coalesced.cu; touch stage2_coalesced.cu
sed -i 's/stage2.ld_requests/stage2[TILE=100].ld_requests/' stage13_wrong.cu
fails 2 'make claims about a build that does not compile' mk claims STAGES='stage2 stage13'
like "$out" '^  not measured yet' 'says that it was not measured'
sed -i 's/TILE=100/TILE=16/' stage13_wrong.cu
ok 'make claims about a build with another knob' mk claims STAGES='stage2 stage13'
is "$(readlink stage2)" build/cpu/stage2 'leaves the stage as it was'
rm stage13_wrong.cu

# --- the other targets

ok 'make diff' mk diff A=2 B=3
like "$out" '^\+    __shared__ float tile\[TILE\]\[TILE \+ 1\];' 'shows what changed'
between=$out
ok 'make diff of one stage' mk diff B=3
is "$out" "$between" 'compares it with the one before'
ok 'make diff of a stage that changes another one' mk diff B=10
like "$out" '^--- stage4_' 'compares it with that one'
fails 2 'make diff with a stage that is not there' mk diff A=2 B=77
ok 'make count' mk count STAGES=stage3
like "$out" '^stage3 +padding +1024x1024 +32768 +4\.0 +32768 +4\.0 +65536 +1\.0' 'prints a table'
ok 'make shmoo' mk shmoo STAGES=stage3
ok 'make help' make help
for target in stageN all list run shmoo plots count claims check diff knobs regs ptx sass profile sanitize clean help; do
    like "$out" "^  $target +[a-z]" "help lists $target"
done
ok 'demonstrations are built' mk demo_vecadd
ok 'and run' ./demo_vecadd
ok 'make profile without a GPU' mk profile
like "$out" '^SKIP: ' 'skips, and says why'
ok 'make sanitize without a GPU' mk sanitize
like "$out" '^SKIP: ' 'skips, and says why'
for target in regs ptx sass; do
    ok "make $target without nvcc" mk $target NVCC=/nonesuch/nvcc
    like "$out" '^SKIP: .*CUDA Toolkit' 'skips, and says why'
done
fails 2 'plots without gnuplot' make -s plots GNUPLOT=nonesuch
like "$err" 'apt-get install gnuplot-nox' 'the package is named'
fails 2 'no compiler' mk all CXX=nonesuch-g++
like "$err" 'nonesuch-g\+\+ is not installed: apt-get install' 'the package is named'
ok 'make -j' mk -j3 STAGES='stage0 stage1 stage5'
cp -a build "$TMP/build"
ok 'make clean' mk clean
[ ! -e build ] && [ ! -e stage3 ] && [ -e results ] && pass 'removes what was built and keeps results' || fail 'removes what was built and keeps results'
mv "$TMP/build" build

# --- which device: with a pretended nvcc and nvidia-smi

mkdir "$TMP/bin"
cat >"$TMP/bin/nvcc" <<'EOF'
#!/bin/sh
[ "$1" = --list-gpu-code ] && printf 'sm_80\nsm_90\nsm_100\nsm_75\n'
EOF
printf '#!/bin/sh\n[ -n "$PRETEND_GPU" ] && echo "$PRETEND_GPU"\n' >"$TMP/bin/nvidia-smi"
printf '#!/bin/sh\necho "$@" >>"%s"\nPRETEND_GPU=8.0 exec "$@"\n' "$TMP/queue.log" >"$TMP/bin/queue"
chmod +x "$TMP/bin/"*
dry() { env PATH="$TMP/bin:$PATH" make -n NVCC="$TMP/bin/nvcc" "$@"; }

run make -n stage0 NVCC=/nonesuch/nvcc
like "$out" 'device: CPU, because there is no nvcc here' 'no nvcc: the CPU device, and it says why'
run dry stage0
like "$out" 'device: CPU, because nvidia-smi finds no GPU here' 'no GPU: the CPU device, and it says why'
is "$(grep -c 'device: ' <<<"$out")" 1 'once'
export PRETEND_GPU=9.0
run dry stage0
like "$out" 'device: GPU, because nvcc and a GPU are here' 'both: the GPU, and it says why'
like "$out" "$TMP/bin/nvcc -arch=sm_90 " 'the architecture is that of the GPU'
run dry stage0 DEVICE=cpu
unlike "$out" 'device: ' 'DEVICE was given: no word about it'
run dry stage0 ARCH=sm_90a
like "$out" 'nvcc -gencode arch=compute_90a,code=sm_90a ' 'ARCH=sm_90a'
fails 2 'ARCH that this nvcc does not know' dry stage0 ARCH=sm_35
like "$err" 'ARCH=sm_35: this nvcc builds for sm_75 sm_80 sm_90 sm_100' 'is refused, with those it knows'
fails 2 'ARCH that is none' dry stage0 ARCH=native
unset PRETEND_GPU
run dry stage0 DEVICE=gpu
like "$out" 'nvcc -arch=sm_75 ' 'no GPU: the oldest architecture that nvcc knows'
run env ARCH=x86_64 PATH="$TMP/bin:$PATH" make -n NVCC="$TMP/bin/nvcc" stage0 DEVICE=gpu
like "$out" 'nvcc -arch=sm_75 ' 'an ARCH in the environment is none of ours'
run env PATH="$TMP/bin:$PATH" make -s regs STAGES=stage3 NVCC="$TMP/bin/nvcc"
like "$out" '^architecture: sm_75, the oldest that this nvcc supports, because no GPU was found; .* make regs ARCH=sm_90$' 'make regs without a GPU prints the architecture and how to choose another one'
run env PATH="$TMP/bin:$PATH" make -s regs STAGES=stage3 NVCC="$TMP/bin/nvcc" ARCH=sm_90
unlike "$out" '^architecture: ' 'but not if ARCH is given'
run env PATH="$TMP/bin:$PATH" PRETEND_GPU=9.0 make -s regs STAGES=stage3 NVCC="$TMP/bin/nvcc"
unlike "$out" '^architecture: ' 'nor if there is a GPU'
run dry stage0 RUN="$TMP/bin/queue -p"
is "$(head -n 1 "$TMP/queue.log" 2>/dev/null)" '-p nvidia-smi --query-gpu=compute_cap --format=csv,noheader' 'RUN: the architecture is asked through it'
like "$out" 'device: GPU, because RUN is given' 'RUN implies the GPU'
rm -f "$TMP/queue.log"
run dry help RUN="$TMP/bin/queue"
run dry list RUN="$TMP/bin/queue"
[ ! -e "$TMP/queue.log" ] && pass 'help and list start no job' || fail 'help and list start no job'
fails 2 'DEVICE=tpu' make list DEVICE=tpu
like "$err" 'DEVICE=tpu: the devices are gpu and cpu' 'is refused'
sed '1a // Needs: sm_90a' stage3_padding.cu >stage14_newer.cu
run dry stage14 DEVICE=gpu
like "$out" 'compute_90a,code=sm_90a .*stage14_newer.cu' 'no GPU known: a stage is compiled for what it needs'
run dry stage14 DEVICE=gpu ARCH=sm_80
unlike "$out" '-c stage14_newer.cu' 'an older GPU: it is linked without its object'
like "$out" 'defsym=transpose=0' 'its function being NULL'
rm stage14_newer.cu

# --- the top

cd "$TREE" || exit 1
ok 'make list at the top' make list
like "$out" '^01_transpose$' 'names the week'
like "$out" '^stage3 +padding' 'and its stages'
is "$(tail -n 1 <<<"$out" | sed 's/:.*//')" core 'and what the mark core means, in the last line'
rm 01_transpose/build/cpu/stage3@TILE=16
ok 'make 01_transpose/stage3 TILE=16' make 01_transpose/stage3 DEVICE=cpu TILE=16
is "$(readlink 01_transpose/stage3)" build/cpu/stage3@TILE=16 'builds it there'
ok 'make run at the top' make -s run DEVICE=cpu STAGES=stage3
like "$out" '^stage3 +padding +1024x1024' 'runs'
cp -a 01_transpose 02_again
sed -i 's/^cp//; s/01_transpose/02_again/' 02_again/transpose.c
run make list
like "$out" '^02_again$' 'a new week is a folder'
ok 'make help at the top' make help
for target in all list run shmoo plots count claims check regs ptx sass profile sanitize clean test help; do
    like "$out" "^  $target +[a-z]" "help lists $target"
done
fails 2 'make 03_nothing/stage1' make 03_nothing/stage1
fails 2 'make stage3 at the top' make stage3
is "$(grep -c . <<<"$err") $out" '1 ' 'prints one line'
like "$err" 'stage3: programs are built in the folder of a week; expected, for example, make 01_transpose/stage3\.' 'which names the target of a week'
fails 2 'make demo_timing at the top' make demo_timing
like "$err" 'expected, for example, make 01_transpose/demo_timing\.' 'names the week that has it'
fails 2 'make stage99 at the top' make stage99
like "$err" 'stage99: no week has it; expected, for example, make 01_transpose/stage3\.' 'reports that no week has it'
done_testing
