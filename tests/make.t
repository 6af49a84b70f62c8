#!/usr/bin/env bash
# make: what it finds, builds, rebuilds and refuses; on the CPU device, in a copy of the tree.
. "$(dirname "$0")/lib.sh"

fresh_tree 01_transpose/shared
odd="$TMP/it's [1] {a,b} *? \$x"   # characters of the shell and of its patterns
mv "$TREE" "$odd" && TREE=$odd
check_small_sizes
sed -i 's/cpu_size = "1024x1024"/cpu_size = "256x256"/' "$TREE/01_transpose/transpose.c"
rm -rf "$TREE"/0[2-9]_*   # one week is enough
cd "$TREE/01_transpose" || exit 1
mk() { make -s DEVICE=cpu "$@"; }
built_at() { stat -c %y "$1"; }

# --- finding

ok 'make list' mk list
is "$(awk '{ print $1 }' <<<"$out" | head -n 4 | tr '\n' ' ')" 'stage0 stage1 stage2 stage3 ' \
    'list prints one stage per line, its name first'
is "$(wc -l <<<"$out" | tr -d ' ')" "$(ls stage[0-9]*_*.cu | wc -l | tr -d ' ')" 'list prints every stage'
[ "$(COLUMNS=80 make -s list | awk 'length($0) > 80' | wc -l)" = 0 ] && pass 'make list fits 80 columns' || fail \
    'make list fits 80 columns'
like "$out" '^stage3 +padding +core +shared-memory padding \(no bank conflicts\)' 'list prints name, mark and lesson'

cp ../build/ladder "$TMP/ladder"
printf '#!/bin/sh\nfor word; do :; done\nexec cp "%s/ladder" "$word"\n' "$TMP" >"$TMP/cc" && chmod +x \
    "$TMP/cc"   # takes no time
rm -r ../build/ladder ../build/tool
ok 'make list in a fresh clone' make list CC="$TMP/cc"
is "$err" 'building ladder, the tool that make uses; this takes several seconds, once' \
    'make says on stderr why it takes long'
run make list CC="$TMP/cc"
is "$err" '' 'the second time it says nothing'
ok 'a figure in a folder whose name has characters of patterns' ../build/ladder figure ladder --recorded
like "$out" 'padding' 'the figure finds the stages, the line highlight and the recorded run'
cp stage3_padding.cu stage12_mine.cu
run mk list
is "$(tail -n 1 <<<"$out" | awk '{ print $1, $2 }')" 'stage12 mine' 'list orders stages by number: stage12 after stage2'
ok 'a new stage is built without editing another file' mk stage12
ok 'the new stage runs' ./stage12 --bench
like "$out" 'stage12 mine' 'the new stage has the name of its file'
ok 'make run includes the new stage' mk run STAGES='stage3 stage12'
like "$out" '^stage12 +mine +256x256 ' 'the table of make run has the new stage'
ok 'the new stage is in the results, from which figures are drawn' grep -q '	stage12	' results/cpu/rows.tsv
if have gnuplot; then
    ok 'make plots' mk plots V=1
    like "$out" '^counts: plots/out/01_transpose_counts.svg, from 01_transpose/results/cpu/' \
        'make plots prints the source of the counts'
    like "$(cat ../plots/out/01_transpose_counts.svg)" '12 mine|>stage12<' 'the figure has the new stage'
    mv stage12_mine.cu aside
    run mk plots
    unlike "$(cat ../plots/out/01_transpose_counts.svg)" '12 mine|>stage12<' \
        'the figure omits a stage whose file was removed'
    mv aside stage12_mine.cu
else
    skip 'make plots' 'gnuplot is not here'
fi

cp stage3_padding.cu stage3_other.cu
fails 2 'two files with the same number are refused' mk list
like "$err" 'stage3: two files have this name: stage3_other.cu stage3_padding.cu' 'both files are named'
mv stage3_other.cu stage3b_other.cu
fails 2 'a misnamed stage is refused' mk list
like "$err" 'stage3b_other.cu: expected stageNUMBER_name.cu' 'the misnamed stage is named'
rm stage3b_other.cu
cp stage3_padding.cu 'stage3_padding (copy).cu'
fails 2 'a file name with a space is refused' mk list
rm 'stage3_padding (copy).cu'
fails 2 'STAGES with an unknown stage is refused' mk run STAGES='stage3 stage99'
like "$err" 'there is no stage99' 'the unknown stage is named'

# --- knobs

ok 'make stage3' mk stage3
is "$(readlink stage3)" build/cpu/stage3 './stage3 links to the program'
ok 'make stage3 TILE=16' mk stage3 TILE=16
is "$(readlink stage3)" build/cpu/stage3@TILE=16 'a build with knobs is a separate program'
ok 'the build with knobs runs' ./stage3 --bench --size 64x64
like "$(cat results/cpu/rows.tsv)" '64x64	TILE=16	' 'the row has the knobs'
run ./stage3 --size 64x64
like "$out" '16x16 threads' 'the kernel uses the knobs'
unlike "$out" 'recorded' 'the recorded rate of the default build is not shown for a build with knobs'
before=$(built_at build/cpu/stage3@TILE=16)
ok 'make stage3 again' mk stage3
is "$(readlink stage3)" build/cpu/stage3 './stage3 links to the default build again'
ok 'make stage3 TILE=16 again' mk stage3 TILE=16
is "$(built_at build/cpu/stage3@TILE=16)" "$before" 'an existing build with knobs is not built again'
ok 'make with two knobs' mk stage4 ROWS=4 TILE=16
is "$(readlink stage4)" build/cpu/stage4@TILE=16,ROWS=4 'knobs have the order of the file, not of the command line'
run ./stage4 --size 64x64
like "$out" '^  recorded: [0-9]+ GB/s' 'the rate recorded with the same knobs is shown'
like "$out" '^ +[0-9]+  .{49}\.\.\. shared load ' 'a source line that is too long for the table ends with ...'
fails 2 'an unknown knob fails' mk stage3 TIEL=16
is "$(grep -c . <<<"$err")" 1 'an unknown knob is refused in one line'
like "$err" 'stage3 has no knob TIEL; it has TILE' 'the refusal names the known knobs'
fails 2 'a knob that no stage has fails' mk run ROWZ=3
like "$err" 'no stage here has a knob ROWZ' 'a knob that no stage has is refused'
for value in '' '1 6' 'a/b' '$x' "it's" '16;id'; do
    fails 2 "TILE='$value' fails" mk stage3 TILE="$value"
    like "$err" 'a knob takes one word' "TILE='$value' is refused"
done
fails 2 'a knob value that does not compile fails' mk stage3 TILE=banana
[ ! -e build/cpu/stage3@TILE=banana ] && pass 'a failed build leaves no program' || fail \
    'a failed build leaves no program'

ok 'make knobs' mk knobs STAGE=stage4 TILE=16,32,banana ROWS=4,8
is "$(cells results/cpu/knobs.tsv knobs status | sort | tr '\n' ',')" \
    "$(for tile in 16 32 banana; do for rows in 4 8; do
        printf 'TILE=%s ROWS=%s %s,' $tile $rows $([ $tile = banana ] && echo error || echo ok)
    done; done)" 'make knobs writes a row for every combination, including failed builds'
fails 2 'make knobs without a stage fails' mk knobs
like "$err" 'expected STAGE and a knob: make knobs STAGE=' 'make knobs without a stage prints an example'
fails 2 'make knobs fails if no setting can be built' mk knobs STAGE=stage4 TILE=x
like "$err" '^ladder: stage4: no setting of its knobs builds and runs$' 'the reason is printed'
sed 's/^\/\/ stage3/\/\/ stage90/' stage3_padding.cu >stage90_gone.cu
mk list >/dev/null
rm stage90_gone.cu
ok 'after a stage was removed, another one is built with a knob' mk stage3 TILE=16
for goal in 'stage3@TILE-8;touch x' 'stage3@TILE-$(touch x)' stage3@TILE- stage3@@ stage3@; do
    fails 2 "make $goal is refused" mk "$goal"
    like "$err" 'expected a program with settings of its knobs, *for example' "make $goal: in one line"
done
rm build/cpu/rules.mk
ok 'a stage is built before make knows which stages there are' mk stage3
is "$(ls build/cpu/words* ../build/words* 2>/dev/null)" '' 'what make checked its words with is removed'
for name in FORMAT COLUMN GNUPLOT; do
    run mk plots "$name=x';touch $TMP/shell'"
    is "$(ls "$TMP/shell" 2>&1 | grep -c 'cannot access')" 1 "$name does not reach a shell"
done
ok 'a knob of 0 can be built' mk stage3 TILE=0
if [ "$(uname -m)" = x86_64 ]; then
    fails 1 'a stage that divides by its knob of 0 fails' ./stage3
    is "$err" 'stage3: integer division by zero in host code; built with TILE=0' 'in one line, which names the knob'
fi
fails 2 'make knobs with an unknown knob fails' mk knobs STAGE=stage4 FOO=1,2
like "$err" 'stage4 has no knob FOO' 'make knobs names an unknown knob'

# --- make -n and make -q

files() { find . ../common ../build \( -type f -o -type l \) -printf '%p %T@\n' | sort; }
compiled() { sed -n 's/.*[[:blank:]]-c \([^ ]*\) .*/\1/p' <<<"$out" | sort; }
ok 'make stage0' mk stage0
run make -n DEVICE=cpu stage0
is "$status $out" "0 make: Nothing to be done for 'stage0'." 'make -n prints no recipe if nothing has to be done'
ok 'make -q returns 0 then' mk -q stage0
before=$(files)
run make -n DEVICE=cpu stage0 CFLAGS=-O1
like "$(compiled)" '/harness/check\.c$' 'make -n with other flags prints what would be compiled with them'
is "$(files)" "$before" 'and changes no file'
touch ../common/stage/stage.h
fails 1 'make -q returns 1 after a change of a header' make -q DEVICE=cpu stage0
run make -n DEVICE=cpu stage0
before=$(compiled)
like "$before" '^build/cpu/obj/stage0\.ii$' 'make -n prints what would be compiled'
run make V=1 DEVICE=cpu stage0
is "$(compiled)" "$before" 'and nothing else is compiled then'

# --- rebuilding

ok 'make stage0' mk stage0
before=$(built_at build/cpu/stage0)
ok 'make stage0 again' mk stage0
is "$(built_at build/cpu/stage0)" "$before" 'an unchanged stage is not built again'
sleep 0.01; touch transpose.h
ok 'make stage0 after a change of a header' mk stage0
[ "$(built_at build/cpu/stage0)" != "$before" ] && pass 'a change of a header rebuilds the stage' || fail \
    'a change of a header rebuilds the stage'
before=$(built_at build/cpu/stage0)
cp -a build "$TMP/build"
ok 'make stage0 with other flags' mk stage0 CXXFLAGS='-DOTHER -O0 -flto'
[ "$(built_at build/cpu/stage0)" != "$before" ] && pass 'other flags rebuild the stage' || fail \
    'other flags rebuild the stage'
run ./stage0 --bench --size 64x64
like "$out" 'loads 128 x 4 sectors  stores 128 x 4 sectors' 'counts do not change with -flto'
ok 'make stage0 with flags that disable the calls that count' mk stage0 CXXFLAGS=-fno-sanitize=thread
run ./stage0 --bench --size 64x64
is "$status $(grep -c . <<<"$err")" '3 1' 'a program without the calls that count ends with one line'
like "$err" 'compiled without -fsanitize=thread.* check CXXFLAGS' 'the line says why nothing can be counted'
rm -rf build; mv "$TMP/build" build
printf '// stage13: nothing.\n#include "transpose.h"\nint x = y;\n' >stage13_broken.cu
fails 2 'a stage that does not compile fails' mk stage13
like "$err" '^stage13_broken\.cu:3:.* error' 'a compiler error has the line of the .cu file'
[ ! -e build/cpu/stage13 ] && [ ! -e build/cpu/obj/stage13.o ] && pass \
    'a failed build leaves no partial files' || fail 'a failed build leaves no partial files'

sed '/^void/s/int cols/long cols/' stage1_naive.cu >stage13_broken.cu
fails 2 'a stage with a wrong signature fails' mk stage13
like "$err" 'undefined reference' 'a wrong signature shows the error of the linker'
like "$err" 'hint: stage13_broken.cu must define exactly what transpose.h declares' 'a wrong signature prints a hint'
like "$err" '^    void transpose\(const float \*in, float \*out, int rows, int cols\);' 'the hint has the prototype'
rm stage13_broken.cu

# --- two concurrent makes in a tree where nothing but the tools is built. The compilers write an object in two pieces,
# and refuse to link a partial object.

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
*' -c '*) printf half >"$object"; sleep 0.05; echo whole >>"$object" ;;
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
mkdir ../build; cp -a "$TMP/tools/ladder" "$TMP/tools/source_pass" ../build
for i in 1 2; do
    (mk stage0 stage3 CC="$TMP/slow/cc" CXX="$TMP/slow/c++" >"$TMP/make$i" 2>&1 || echo \
        "exit status $?" >>"$TMP/make$i") &
    sleep 0.1
done
wait
is "$(cat "$TMP/make1" "$TMP/make2")" '' 'two concurrent makes both succeed'
is "$(cat build/cpu/stage0 build/cpu/stage3)" $'program\nprogram' 'concurrent makes leave complete programs'
is "$(find build ../build -name '*.[0-9][0-9]*')" '' 'concurrent makes leave no unfinished files'
rm -rf build ../build
mv "$TMP/built" build
mv "$TMP/tools" ../build

# --- stages that this device cannot run

sed '1a // Needs: sm_100' stage3_padding.cu >stage14_newer.cu
ok 'a stage that needs sm_100 is linked for the CPU device' mk stage14
fails 77 'a stage that needs sm_100 exits with 77' ./stage14
like "$out$err" '^SKIP: stage14: needs sm_100' 'the program prints what it needs'
like "$out" '^stage14 newer: shared-memory padding' 'the program prints its lesson first'
ok 'make run succeeds with a skipped stage' mk run STAGES='stage3 stage14'
ok 'make check succeeds with a skipped stage' mk check STAGES='stage3 stage14'
rm stage14_newer.cu

# --- runs that fail

sed 's/in\[y \* cols + x\]/2 * in[y * cols + x]/' stage1_naive.cu >stage2_wrong.cu
mv stage2_coalesced.cu aside
fails 2 'make run with a wrong stage fails' mk run STAGES='stage2 stage3'
like "$out" '^stage3 +padding' 'make run continues after a wrong stage'
fails 2 'make check with a wrong stage fails' mk check STAGES='stage2 stage3'
like "$out" 'stage3 padding: [0-9]+ right, 0 wrong' 'make check continues after a wrong stage'
rm stage2_wrong.cu; mv aside stage2_coalesced.cu
sed 's/if (x < cols && y < rows)/if (true)/' stage1_naive.cu >stage13_wrong.cu
ok 'a stage that reads out of bounds builds' mk stage13
fails 1 'an out-of-bounds read is diagnosed' ./stage13
like "$err" '^stage13: the problem size was 1x1$' 'the diagnosis names the problem size'
ok 'make claims' mk claims STAGES='stage2 stage3'
sed 's/^\(.. Expect (cpu, 1024x1024): shared_wavefronts ==\).*/\1 2 * shared_requests/' stage3_padding.cu \
    >stage13_wrong.cu
fails 2 'make claims with a claim that does not hold fails' mk claims STAGES='stage3 stage13'
like "$out" 'does not hold' 'make claims prints that a claim does not hold'
sed 's/^.. Expect (cpu, 1024x1024): shared.*/\/\/ Expect (cpu, 96x160, float): ld_requests == stage2.ld_requests/' \
    stage3_padding.cu >stage13_wrong.cu
ok 'make claims with a claim about another size and a type' mk claims STAGES='stage2 stage13'
like "$out" '^  holds +stage13: ld_requests == stage2.ld_requests \(96x160(, float)?\)' \
    'make claims first measures the other stage at that size'
cp stage2_coalesced.cu aside
sed -i 's/__syncthreads();/& volatile float again = in[0]; (void)again;/' stage2_coalesced.cu
ok 'the other stage is built again after a change' mk stage2
ok 'the other stage runs at a third size' ./stage2 --bench --size 64x64
fails 2 'make claims after a change of the other stage fails' mk claims STAGES='stage2 stage13'
like "$out" '^  does not hold +stage13: ld_requests == stage2.ld_requests \(96x160(, float)?\)' \
    'make claims uses no row of the previous build'
mv aside stage2_coalesced.cu; touch stage2_coalesced.cu
sed -i 's/stage2.ld_requests/stage4[TILE=100].ld_requests/' stage13_wrong.cu
fails 2 'make claims about a build that does not compile fails' mk claims STAGES='stage4 stage13'
like "$out" '^  not measured yet' 'the claim is reported as not measured'
sed -i 's/TILE=100/TILE=16/' stage13_wrong.cu
ok 'make claims about a build with another knob succeeds' mk claims STAGES='stage4 stage13'
is "$(readlink stage4)" build/cpu/stage4 'make claims leaves ./stage4 linked to the default build'
rm stage13_wrong.cu

# --- the other targets

ok 'make diff' mk diff A=2 B=3
is "$(grep '^[-+]' <<<"$out")" '--- stage2_coalesced.cu
+++ stage3_padding.cu
-     __shared__ float tile[TILE][TILE];
+     __shared__ float tile[TILE][TILE + 1];' 'make diff shows the changed lines of the code, without times'
between=$out
ok 'make diff HEAD=1' mk diff A=2 B=3 HEAD=1
like "$out" '^\+// stage3: ' 'make diff HEAD=1 shows the heads, too'
unlike "$out" '20[0-9][0-9]-' 'and no times' 
ok 'make diff of one stage' mk diff B=3
is "$out" "$between" 'make diff B=3 compares stage 3 with its predecessor'
ok 'make diff of a stage that changes another one' mk diff B=10
like "$out" '^--- stage4_' 'make diff compares a stage with the one in its "From:" line'
one_line() { fails 2 "make ${*:2} fails" make DEVICE=cpu "${@:2}"; is "$(grep -c . <<<"$err") $out" '1 ' \
    "make ${*:2} prints one line"; like "$err" "$1" "make ${*:2}: the line says why"; }
one_line 'diff: B=77: there is no such stage here; there are stage0 stage1 ' diff A=2 B=77
one_line 'diff: B=77: there is no such stage here' diff B=77
one_line 'diff: A=99: there is no such stage here' diff A=99 B=3
one_line 'diff: B=0: stage0 has no stage before it; expected, for example, make diff A=2 B=3' diff B=0
one_line 'diff: A=1: B is missing; expected, for example, make diff A=2 B=3' diff A=1
one_line 'diff: A=2 B=2: this is one stage' diff A=2 B=2
one_line 'diff: B=x: there is no such stage here' diff B=x
one_line 'diff: B=1 2: there is no such stage here' diff B='1 2'
for stage in stage99 Stage3 STAGE3; do one_line "$stage: there is no such stage here; there are stage0 stage1 " \
    $stage; done
one_line 'exercise9: exercises are numbered; make exercise lists them' exercise9
one_line 'demo_none: there is no such program here; there are demo_' demo_none
one_line 'chekc: there is no such target; make help lists them' chekc
one_line 'run-file: a target of the top folder; expected, for example, make -C .. run-file FILE=folder/program.cu' \
    run-file FILE=hello.cu
one_line 'test: a target of the top folder' test
listed=$(make help | sed -n 's/^  \([a-z][a-z-]*\) .*/\1/p')
is "$(for target in $listed; do
    make -n DEVICE=cpu "$target" STAGE=stage3 N=1 NAME=a TO=x TILE=16 2>&1 | grep 'no such target'
done)" '' 'make accepts every target that it lists'
ok 'make count' mk count STAGES=stage3
like "$out" '^stage3 +padding +256x256 +2048 +4\.0 +2048 +4\.0 +4096 +1\.0' 'make count prints a table'
ok 'make shmoo' mk shmoo STAGES=stage3
ok 'make help' make help
is "$(awk 'length($0) > 100' <<<"$out")" '' 'the lines of make help have at most 100 columns'
before=$(tr -s '[:space:]' '\n' <<<"$out")
fails 2 'make help with COLUMNS=x fails' env COLUMNS=x make help
is "$(grep -v '^make' <<<"$err") $out" "ladder: COLUMNS 'x': expected a whole number from 0 to 10000 " 'in one line'
run env COLUMNS=80 make help
is "$(awk 'length($0) > 80' <<<"$out")" '' 'on a terminal of 80 columns, at most 80'
is "$(tr -s '[:space:]' '\n' <<<"$out")" "$before" 'and no word is lost'
for target in stageN all list run shmoo plots count claims check diff knobs regs ptx sass profile sanitize clean \
    help; do
    like "$out" "^  $target +[a-z]" "help lists $target"
done
ok 'demonstrations are built' mk demo_vecadd
ok 'demonstrations run' ./demo_vecadd
needs() { make -n DEVICE=cpu -W ../common/harness/report.c "$1" | grep -c -m 1 'harness/report\.o'; }
is "$(needs demo_timing) $(needs demo_vecadd)" '1 0' 'a demonstration that includes no header of ours builds no harness'
ok 'make profile without a GPU' mk profile
like "$out" '^SKIP: ' 'make profile without a GPU is skipped, with the reason'
ok 'make sanitize without a GPU' mk sanitize
like "$out" '^SKIP: ' 'make sanitize without a GPU is skipped, with the reason'
for target in regs ptx sass; do
    ok "make $target without nvcc" mk $target NVCC=/nonesuch/nvcc
    like "$out" '^SKIP: .*CUDA Toolkit' "make $target without nvcc is skipped, with the reason"
done
fails 2 'make plots without gnuplot fails' make -s plots GNUPLOT=nonesuch
like "$err" 'apt-get install gnuplot-nox' 'the package of gnuplot is named'
for target in 'plots FROM=none' 'plots BESIDE=none' 'slides FROM=none'; do
    fails 2 "make $target fails" make -s $target GNUPLOT=true
    is "$(grep -vc '^make' <<<"$err") $out" '1 ' "make $target prints one line"
    like "$err" 'none' "make $target names the run"
done
fails 2 'make without a compiler fails' mk all CXX=nonesuch-g++
like "$err" 'nonesuch-g\+\+ is not installed: apt-get install' 'the package of the compiler is named'
ok 'make -j' mk -j3 STAGES='stage0 stage1 stage5'
cp -a build "$TMP/build"
ok 'make clean' make clean
is "$out$err" '' 'make clean prints nothing'
[ ! -e build ] && [ ! -e stage3 ] && [ -e results ] && pass 'make clean removes what was built and keeps results' || \
    fail 'make clean removes what was built and keeps results'
mv "$TMP/build" build

# --- which device: with scripts in place of nvcc and nvidia-smi

mkdir "$TMP/bin"
cat >"$TMP/bin/nvcc" <<'EOF'
#!/bin/sh
[ "$1" != --list-gpu-code ] || printf 'sm_80\nsm_90\nsm_100\nsm_75\n'
EOF
printf '#!/bin/sh\n[ -n "$PRETEND_GPU" ] && echo "$PRETEND_GPU"\n' >"$TMP/bin/nvidia-smi"
printf '#!/bin/sh\necho "$@" >>"%s"\nPRETEND_GPU=8.0 exec "$@"\n' "$TMP/queue.log" >"$TMP/bin/queue"
chmod +x "$TMP/bin/"*
dry() { env PATH="$TMP/bin:$PATH" make -n NVCC="$TMP/bin/nvcc" "$@"; }

run make -n stage0 NVCC=/nonesuch/nvcc
like "$out" 'device: CPU, because there is no nvcc here' 'without nvcc, make uses the CPU device and says why'
run dry stage0
like "$out" 'device: CPU, because nvidia-smi finds no GPU here' 'without a GPU, make uses the CPU device and says why'
is "$(grep -c 'device: ' <<<"$out")" 1 'the device is printed once'
export PRETEND_GPU=9.0
run dry stage0
like "$out" 'device: GPU, because nvcc and a GPU are here' 'with nvcc and a GPU, make uses the GPU and says why'
like "$out" "$TMP/bin/nvcc -arch=sm_90 " 'the architecture is detected from the GPU'
run dry stage0 DEVICE=cpu
unlike "$out" 'device: ' 'with DEVICE given, the device is not printed'
run dry stage0 ARCH=sm_90a
like "$out" 'nvcc -gencode arch=compute_90a,code=sm_90a ' 'ARCH=sm_90a compiles code for that architecture only'
fails 2 'an ARCH that this nvcc does not know fails' dry stage0 ARCH=sm_35
like "$err" 'ARCH=sm_35: this nvcc builds for sm_75 sm_80 sm_90 sm_100' \
    'the refusal lists the architectures that nvcc knows'
fails 2 'ARCH=native fails' dry stage0 ARCH=native
unset PRETEND_GPU
run dry stage0 DEVICE=gpu
like "$out" 'nvcc -arch=sm_75 ' 'without a GPU, the oldest architecture that nvcc knows is used'
run env ARCH=x86_64 PATH="$TMP/bin:$PATH" make -n NVCC="$TMP/bin/nvcc" stage0 DEVICE=gpu
like "$out" 'nvcc -arch=sm_75 ' 'ARCH in the environment is ignored'
run env PATH="$TMP/bin:$PATH" make -s regs STAGES=stage3 NVCC="$TMP/bin/nvcc"
like "$out" \
    '^architecture: sm_75, the oldest that this nvcc supports, because no GPU was found; .* make regs ARCH=sm_90$' \
    'make regs without a GPU prints the architecture and how to choose another one'
run env PATH="$TMP/bin:$PATH" make -s regs STAGES=stage3 NVCC="$TMP/bin/nvcc" ARCH=sm_90
unlike "$out" '^architecture: ' 'with ARCH given, make regs does not print the architecture'
run env PATH="$TMP/bin:$PATH" PRETEND_GPU=9.0 make -s regs STAGES=stage3 NVCC="$TMP/bin/nvcc"
unlike "$out" '^architecture: ' 'with a GPU, make regs does not print the architecture'
fails 2 'a RUN without such a program fails' make -s stage0 DEVICE=cpu RUN='A=1 nosuch -p'
is "$(grep -c . <<<"$err") $out" '1 ' 'in one line'
like "$err" 'RUN=A=1 nosuch -p: there is no program nosuch here' 'which names the program'
run dry stage0 RUN="$TMP/bin/queue -p"
is "$(head -n 1 "$TMP/queue.log" 2>/dev/null)" '-p nvidia-smi --query-gpu=compute_cap --format=csv,noheader' \
    'with RUN, the architecture is detected through it'
like "$out" 'device: GPU, because RUN is given' 'RUN implies the GPU'
rm -f "$TMP/queue.log"
run dry help RUN="$TMP/bin/queue"
run dry list RUN="$TMP/bin/queue"
[ ! -e "$TMP/queue.log" ] && pass 'help and list start no job' || fail 'help and list start no job'
fails 2 'an unknown DEVICE fails' make list DEVICE=tpu
like "$err" 'DEVICE=tpu: the devices are gpu and cpu' 'the refusal lists the devices'
sed '1a // Needs: sm_90a' stage3_padding.cu >stage14_newer.cu
run dry stage14 DEVICE=gpu
like "$out" 'compute_90a,code=sm_90a .*stage14_newer.cu' \
    'without a GPU, a stage is compiled for the architecture that it needs'
run dry stage14 DEVICE=gpu ARCH=sm_80
unlike "$out" '-c stage14_newer.cu' 'for an older GPU, a stage is linked without its object'
like "$out" 'defsym=transpose=0' 'for an older GPU, the stage function is NULL'
rm stage14_newer.cu

# --- a folder of another user: a user without rights, if root runs the tests

other() { if [ "$(id -u)" = 0 ]; then setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; else "$@"; fi; }
theirs=$(mktemp -d)
cp -r ../common ../Makefile "$theirs" && mkdir "$theirs/build" \
    "$theirs/01_transpose" && cp Makefile ./*.[ch] stage3*.cu runs "$theirs/01_transpose"
cp ../build/ladder "$theirs/build" && chmod -R a+rX,a-w "$theirs"
if other test -r "$theirs/Makefile" && ! other test -w "$theirs"; then
    for target in list stage3 exercise; do
        fails 2 "make $target in a folder that cannot be written fails" other make -C \
            "$theirs/01_transpose" DEVICE=cpu $target
        is "$(grep -vc '^make\[*[0-9]*\]*: [EL]' <<<"$err")" 1 \
            "make $target in a folder that cannot be written prints one line"
        like "$err" 'cannot write .*01_transpose; work in a copy of your own: git clone or cp -r' \
            "make $target: the line names the folder"
    done
    ok 'make help needs no right to write' other make -C "$theirs/01_transpose" help
    fails 2 'make at the top of such a folder fails' other make -C "$theirs" list
    like "$err" 'cannot write .*; work in a copy of your own' 'with the same line'
else
    skip 'a folder that cannot be written' 'the rights of another user cannot be taken'
fi
chmod -R u+w "$theirs" && rm -r "$theirs"

# --- the top

cd "$TREE" || exit 1
ok 'make list at the top' make list
like "$out" '^01_transpose$' 'make list at the top prints the weeks'
like "$out" '^stage3 +padding' 'make list at the top prints their stages'
is "$(tail -n 1 <<<"$out" | sed 's/:.*//')" core 'the last line explains the mark core'
rm 01_transpose/build/cpu/stage3@TILE=16
ok 'make 01_transpose/stage3 TILE=16' make 01_transpose/stage3 DEVICE=cpu TILE=16
is "$(readlink 01_transpose/stage3)" build/cpu/stage3@TILE=16 'make 01_transpose/stage3 builds in the week'
ok 'make run at the top' make -s run DEVICE=cpu STAGES=stage3
like "$out" '^stage3 +padding +256x256' 'make run at the top runs the stages'
cp -a 01_transpose 02_again
sed -i 's/^cp//; s/01_transpose/02_again/' 02_again/transpose.c
run make list
like "$out" '^02_again$' 'a new folder is a new week'
ok 'make help at the top' make help
for target in all list run shmoo plots count claims check regs ptx sass profile sanitize clean test help; do
    like "$out" "^  $target +[a-z]" "help lists $target"
done
fails 2 'make fails for a week that does not exist' make 03_nothing/stage1
is "$(grep -c . <<<"$err") $out" '1 ' 'in one line'
like "$err" '03_nothing/stage1: there is no week 03_nothing here; there are 01_transpose ' 'which names the weeks'
fails 2 'make stage3 at the top fails' make stage3
is "$(grep -c . <<<"$err") $out" '1 ' 'make stage3 at the top prints one line'
like "$err" 'stage3: programs are built in the folder of a week; expected, for example, make 01_transpose/stage3\.' \
    'the line names the target of a week'
for target in lanes watch diff new knobs; do
    fails 2 "make $target at the top fails" make $target
    is "$(grep -c . <<<"$err") $out" '1 ' "make $target at the top prints one line"
    like "$err" "$target: a target of a week; expected, for example, make 01_transpose/$target" \
        'the line names the target of a week'
done
fails 2 'an unknown target fails' make chekc
like "$err" 'chekc: there is no such target; make help lists them' 'the line names it'
for target in 'slides THEME=dark' 'run TIEL=16' 'plots FROM=none' 'slides FROM=none'; do
    fails 2 "make $target at the top fails" make -s DEVICE=cpu $target GNUPLOT=true
    is "$(grep -vc '^make' <<<"$err") $out" '1 ' "make $target at the top prints one line"
    like "$err" 'THEME=dark|TIEL=16|none' 'the line names the value'
done
fails 2 'make demo_timing at the top fails' make demo_timing
like "$err" 'expected, for example, make 01_transpose/demo_timing\.' 'the line names the week that has demo_timing'
fails 2 'make stage99 at the top fails' make stage99
like "$err" 'stage99: no week has it; expected, for example, make 01_transpose/stage3\.' \
    'the line reports that no week has stage99'
done_testing
