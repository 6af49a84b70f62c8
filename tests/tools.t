#!/usr/bin/env bash
# The tools around a student's own stage: make new, progress, watch, sassdiff and figures; on the CPU device, in a copy
# of the tree.
. "$(dirname "$0")/lib.sh"

fresh_tree 01_transpose/shared
check_small_sizes
rm -rf "$TREE"/0[2-9]_*   # one week is enough
cd "$TREE/01_transpose" || exit 1
mk() { make -s DEVICE=cpu "$@"; }
# refuses REGEX make-argument...: make fails, and the tool's one line matches
refuses()
{
    local text=$1
    shift
    fails 2 "refused: make $*" mk "$@"
    is "$(grep -v '^make' <<<"$err" | grep -c .) $out" '1 ' "the refusal is one line: make $*"
    like "$err" "$text" "the refusal says what is wrong: make $*"
}
# state STAGE: its state in the table of make progress
state() { mk progress | sed -n "s/^$1  *[a-z0-9_]*  *\(not built\|needs [a-z0-9_]*\|claims met\|[a-z]*\).*/\1/p"; }

# --- make new

mk list >/dev/null
ok 'make new' mk new N=15 NAME=my_idea FROM=3
like "$out" '^stage15_my_idea\.cu, from stage3_padding\.cu; ' 'make new prints the file'
new=stage15_my_idea.cu
is "$(head -n 2 $new)" "// stage15: my idea
//" 'the head has the number and the name of the new stage'
like "$(cat $new)" '^// What limits stage 3: ' 'the head asks what limits the stage it is from'
unlike "$(cat $new)" '^// Expect' 'the claims of the other stage are dropped'
is "$(sed '/^\/\//d' $new)" "$(sed '/^\/\//d' stage3_padding.cu | sed '1{/^$/d}')" 'the code is that of the other stage'
lines=$(awk '!/^\/\// { exit } { n++ } END { print n }' $new)
is "$((lines >= 3 && lines <= 16))" 1 'the head has at most 16 lines'
ok 'a stage that was just added is known to make list STAGES=...' mk list STAGES=stage15
like "$out" '^stage15 +my_idea +my idea$' 'make list has its lesson'
sed -i 's/TILE/SIDE/g' $new
ok 'a knob of a stage that was just changed is known' mk list STAGE=stage15 SIDE=16
ok 'the new stage builds' mk stage15
ok 'the new stage passes its check' mk check STAGES=stage15 ARGS=--quick
run mk diff B=15
like "$out" '^--- stage3_padding' 'make diff compares it with the stage that it is from'
ok 'make new keeps what the code needs' mk new N=16 NAME=other FROM=9
is "$(grep '^// Needs' stage16_other.cu)" '// Needs: sm_90' 'the line Needs is kept'
refuses "N=3: stage3_padding.cu has this number; expected another one, for example N=17" new N=3 NAME=again FROM=2
refuses "N='x': expected the number" new N=x NAME=a FROM=1
refuses "N='': expected the number" new NAME=a FROM=1
for name in a-b '' '../x' 'a b'; do
    refuses "NAME='$name': expected letters, digits and _" new N=20 NAME="$name" FROM=1
done
refuses "FROM='99': expected the number of a stage" new N=20 NAME=a FROM=99
is "$(ls stage20* 2>/dev/null)" '' 'a refused stage leaves no file'
rm stage16_other.cu

# --- make progress

# Other test files may have built stages in the tree that this one is a copy of.
find build/cpu -maxdepth 1 -name 'stage*' ! -name 'stage15*' -delete
sed '1a // Needs: sm_100' stage3_padding.cu >stage16_newer.cu
run mk progress
is "$(sed -n 1p <<<"$out")" 'the CPU device' 'progress names the device'
is "$(sed 1,2d <<<"$out" | grep -c '^stage')" "$(ls stage*_*.cu | wc -l | tr -d ' ')" 'progress has a row per stage'
is "$(state stage1)" 'not built' 'a stage that was never built'
is "$(state stage16)" 'needs sm_100' 'a stage that this device cannot run'
rm stage16_newer.cu
is "$(state stage15)" checked 'a stage after its check'
ok 'stage1 builds' mk stage1
is "$(state stage1)" built 'a stage after its build'
ok 'stage1 runs' ./stage1
is "$(state stage1)" 'claims met' 'a stage whose claims hold in its run'
run mk progress STAGES=stage1
like "$out" '^stage1 +naive +claims met +2 of 2 +4\.50 +1024x1024 +20[0-9-]+$' \
    'its row has claims, bytes moved, size and date'
is "$(find . -newer build/cpu/stage1 -name 'stage0*' | grep -v '\.cu$')" '' 'progress builds and runs nothing'
sleep 0.02; touch stage1_naive.cu
is "$(state stage1)" changed 'a stage whose file was saved after its run'
sed -i 's|^// Expect (cpu.*|// Expect (cpu, 1024x1024): st_sectors == 1|' stage1_naive.cu
mk stage1 && ./stage1 >/dev/null
is "$(state stage1)" checked 'a stage with a claim that does not hold'
like "$(mk progress STAGES=stage1)" ' 0 of 2 ' 'its row says how many claims hold'
sed -i 's/out\[\(.*\)\] = /out[0 * (\1)] = /' stage15_my_idea.cu
mk check STAGES=stage15 ARGS=--quick >/dev/null 2>&1
is "$(state stage15)" wrong 'a stage that fails its check'
cp stage3_padding.cu "$TMP/kept" && mk new N=17 NAME=kept FROM=3 >/dev/null
cd .. || exit
ok 'make progress at the top' make -s progress DEVICE=cpu
like "$out" '^01_transpose$' 'it has each week'
cd 01_transpose || exit

# --- make watch: its script, with make's settings, so that its process can be interrupted; a shell ignores Ctrl-C for
# what it starts with &

export MAKE='make --no-print-directory DEVICE=cpu'
# results N: waits until the watch has printed N results
results()
{
    for _ in $(seq 150); do
        [ "$(grep -c '(build .* check ' "$TMP/watch")" -lt "$1" ] || return 0
        sleep 0.1
    done
    cat "$TMP/watch"
    return 1
}
env --default-signal=INT ../common/make/watch.sh stage17 stage17 build/cpu/stage17 >"$TMP/watch" 2>&1 &
watch=$!
results 1
# The processor time of a process and of its children that have ended, in clock ticks
ticks() { sed 's/.*) //' "/proc/$1/stat" | awk '{ print $12 + $13 + $14 + $15 }'; }
before=$(ticks $watch)
sleep 1
is "$(($(ticks $watch) - before < $(getconf CLK_TCK) / 10))" 1 'make watch is idle while no file changes'
kill -INT $watch
wait $watch
echo $? >"$TMP/status"
is "$(cat "$TMP/status")" 0 'Ctrl-C ends make watch with status 0'
like "$(cat "$TMP/watch")" '^watching stage17_kept\.cu and the headers of the week; ' 'it names what it watches'
like "$(cat "$TMP/watch")" \
    '^[0-9:]+  stage17 kept: [0-9]+ right, 0 wrong, 0 refused   \(build [0-9.]+ s, check [0-9.]+ s\)$' \
    'it prints the result of the check'
env --default-signal=INT ../common/make/watch.sh stage17 stage17 build/cpu/stage17 >"$TMP/watch" 2>&1 &
watch=$!
results 1
sed -i 's/= in\[/= + in[/' stage17_kept.cu
ok 'a saved file is built and checked' results 2
is "$(grep -c ' -> ' "$TMP/watch")" 0 'counts that are as before are not printed'
sed -i 's/TILE + 1\]/TILE]/' stage17_kept.cu
results 3
is "$(grep ' -> ' "$TMP/watch" | sed 's/^ *//')" 'shared_wavefronts 65536 -> 1081344 (1024x1024)
shared_wavefronts_source 65536 -> 1081344 (1024x1024)' 'without the padding, the wavefronts change, and nothing else'
sed -i 's/= + in\[/= oops[/' stage17_kept.cu
results 4
like "$(tail -n 1 "$TMP/watch")" '  does not build ' 'a compile error is a result'
like "$(cat "$TMP/watch")" '^stage17_kept\.cu:[0-9]+:[0-9]+: error' 'the error is shown'
sed -i 's/= oops\[/= 2 * in[/' stage17_kept.cu
results 5
like "$(tail -n 1 "$TMP/watch")" 'stage17 kept: 0 right, [0-9]+ wrong, 0 refused' \
    'watching goes on, and a wrong result is shown'
echo >>transpose.h
ok 'a change of the header is noticed' results 6
kill -INT $watch
wait $watch
unset MAKE
refuses "watch: STAGE='': expected a stage of this folder" watch
refuses "watch: STAGE='stage99': expected a stage of this folder" watch STAGE=stage99

# --- make sassdiff: without CUDA, from the text that cuobjdump prints

sass()
{
    printf '\t\tFunction : %s\n\t.headerflags @"x"\n' "$1"
    for op in "${@:2}"; do
        echo "        /*0000*/   $op R1, c[0x0][0x28] ;   /* 0x00000a00ff017b82 */"
        echo '      /* 0x000fe20000000800 */'
    done
}
{
    sass 'void f<(int)4>(float const*, int)' MOV LDG.E '@!P0 EXIT' NOP
    sass 'g(int)' MOV
    sass 'old(int)' BRA
} >"$TMP/stage8.sass"
{
    sass 'g(int)' MOV
    sass 'void f<(int)4>(float const*, int, int)' MOV LDG.E.128 LDG.E.128 EXIT NOP NOP
    sass 'new(int)' BRA BRA
    sass 'more(int)' MOV
} >"$TMP/stage9.sass"
ok 'sassdiff.sh' ../common/make/sassdiff.sh "$TMP/stage8.sass" "$TMP/stage9.sass"
is "$(sed '/^---/,$d' <<<"$out" | sed 's/  */ /g')" 'opcode stage8 stage9 change
LDG.E.128 0 2 +2
BRA 1 2 +1
MOV 2 3 +1
EXIT 1 1 +0
LDG.E 1 0 -1' 'it counts the opcodes, largest change first, without predicates and NOPs'
like "$out" '^--- stage8$' 'it prints a unified diff of the opcodes'
like "$out" '^\+LDG.E.128$' 'with the opcodes that were added'
like "$out" '^ kernel f<\(int\)4>\(float const\*, int\)$|^[-+]kernel f<' 'and the names of the kernels'
refused 'no kernel in it; expected the output of cuobjdump' ../common/make/sassdiff.sh /dev/null /dev/null
run make -s sassdiff A=2 B=3 NVCC=/nonesuch/nvcc
is "$out" 'SKIP: make sassdiff needs nvcc of the CUDA Toolkit, which is not installed' \
    'without nvcc, make sassdiff prints one line'
mkdir "$TMP/bin"
printf '#!/bin/sh\n[ "$1" != --list-gpu-code ] || echo sm_90\n' >"$TMP/bin/nvcc"
chmod +x "$TMP/bin/nvcc"
run env PATH="$TMP/bin:/usr/bin:/bin" make -s sassdiff A=2 B=3 NVCC="$TMP/bin/nvcc" CUDA_HOME=/nonesuch
name='without cuobjdump, make sassdiff names the package'
if [ -x /usr/bin/cuobjdump ]; then skip "$name" 'cuobjdump is in /usr/bin'
else like "$out" '^SKIP: make sassdiff needs cuobjdump .*: apt-get install nvidia-cuda-toolkit' "$name"; fi

# --- make figures, with a short file `runs`

rm -f stage15* stage17*
cat >runs <<'EOF'
counts  cpu  stage0 --count --size 64x64
knobs   cpu  stage4 TILE=16,nonsense ROWS=8 --bench --size 64x64
unseen  cpu  stage0 --count --size 64x64
EOF
ok 'make measurements' mk measurements
is "$(grep '^==' <<<"$out" | tr '\n' ';')" '== 01_transpose counts;== 01_transpose knobs;' \
    'it measures the parts that figures show'
is "$(cells results/cpu/knobs.tsv knobs status | sort | tr '\n' ';')" 'TILE=16 ROWS=8 ok;TILE=nonsense ROWS=8 error;' \
    'the rows are in the results, a build that fails included'
cd .. || exit
if have gnuplot; then
    ok 'make figures at the top' make -s figures DEVICE=cpu V=1
    like "$out" '^counts: plots/out/01_transpose_counts\.svg, from 01_transpose/results/cpu/$' \
        'then the figures are drawn from the results'
else
    skip 'make figures' 'gnuplot is not installed (apt-get install gnuplot-nox)'
fi
cd 01_transpose || exit
echo 'counts cpu stage5 --count --size 3x3x3' >runs
fails 2 'a run that fails' mk measurements
like "$err" '^ladder: 01_transpose counts: a run failed; the other parts are measured$' 'it is reported in one line'
echo 'counts cpu stage0 --count --size 32x32,64x64' >runs
if script -qc true /dev/null </dev/null >/dev/null 2>&1; then
    script -qc 'make -s DEVICE=cpu measurements' /dev/null </dev/null >"$TMP/terminal"
    like "$(tr '\r' '\n' <"$TMP/terminal")" 'run 2 of 2, [0-9]+ s left: stage0' 'on a terminal, the progress is shown'
else
    skip 'on a terminal, the progress is shown' 'this needs script (apt-get install bsdutils) and a pseudo-terminal'
fi
done_testing
