#!/usr/bin/env bash
# `ladder measure`, `ladder claims --measure` and `ladder record`: the file `runs`, with scripts in place of programs, make and ncu.
. "$(dirname "$0")/lib.sh"
use_ladder
cd "$TMP" || exit 1
# `ladder` records next to where it lies.
mkdir -p build plots/data results
cp "$LADDER" build/ladder
LADDER=$TMP/build/ladder

# program NAME: appends a row that says how it was called; "--fail N" ends with that status.
cat >program <<'END'
#!/bin/sh
command="${0##*/} $(echo "$*" | sed 's/--tsv [^ ]* *//')"
echo "$command" >>called
case $* in *'--fail '*) exit "$(echo "$*" | sed 's/.*--fail \([0-9]*\).*/\1/')" ;; *--silent*) exit 0 ;; esac
while [ $# != 0 ]; do case $1 in --tsv) tsv=$2 ;; --once) exit 0 ;; esac; shift; done
stage=${0##*/} knobs=
case $stage in *@*) knobs=${stage#*@} stage=${stage%%@*} ;; esac
[ -s "$tsv" ] || { printf '# device: G\n# date: 2000-01-02\n'; echo "# command: $command"; "$LADDER" columns | awk '{ printf "%s%s", (NR > 1 ? "\t" : ""), $1 } END { print "" }'; } >"$tsv"
grep -q "^# command: $command\$" "$tsv" || echo "# command: $command" >>"$tsv"
"$LADDER" columns | awk -v stage="$stage" -v knobs="$knobs" '{ v = ""; if ($1 == "week") v = "w"; if ($1 == "stage") v = stage; if ($1 == "name") v = "x"; if ($1 == "knobs") v = knobs
    if ($1 == "mode") v = "cold"; if ($1 == "status") v = "ok"; if ($1 == "rate") v = 5; if ($1 == "size") v = 8; printf "%s%s", (NR > 1 ? "\t" : ""), v } END { print "" }' >>"$tsv"
echo "ran $stage${knobs:+ $knobs}"
END
cat >fakemake <<'END'
#!/bin/sh
echo "make $*" >>called
[ "$1" != -j ] || shift 2
case $* in *BAD*) echo 'error: BAD' >&2; exit 2 ;; *' '*=*) set -- "$1@$(echo "${*#* }" | tr ' ' ,)" ;; esac
for name; do cp program "build/$name" && ln -sfn "build/$name" "${name%%@*}"; done
END
cat >ncu <<'END'
#!/bin/sh
case $1 in --version|--query-metrics) exit 0 ;; esac
echo "ncu $*" >>called
cat ncu.csv
END
cat >ncu.csv <<'END'
"ID","Kernel Name","Metric Name","Metric Value"
"0","f<1, 2>","dram__bytes_read.sum","1,000"
"1","g","dram__bytes_read.sum","24"
"1","g","smsp__inst_executed.sum","7"
END
chmod +x program fakemake ncu
export LADDER LADDER_BUILD=build LADDER_MAKE=./fakemake LADDER_RUN='' LADDER_NCU=./ncu LADDER_KNOBS='' LADDER_WEEK=w LADDER_DEVICE=gpu \
    LADDER_STAGES='stage1 stage2 stage3' LADDER_ONLY=''
measured() { rm -f called; run "$LADDER" measure "$@"; }

# --- runs

measured build/t.tsv -- 'stage1 --bench' 'stage2 --bench --size 8'
is "$status" 0 'runs are made'
is "$(grep -v '^make' called)" 'stage1 --bench
stage2 --bench --size 8' 'one after the other, with their options'
like "$(head -n 1 called)" '^make -j [0-9]+ stage1 stage2$' 'after everything was built'
is "$(cells build/t.tsv stage | tr '\n' ' ')" 'stage1 stage2 ' 'their rows are collected'
measured build/t.tsv -- 'stages --size 3,4'
is "$(grep -c '^stage[123] --size [34]' called)" 6 'a line stands for one run per stage and value'
measured build/t.tsv -- 'stage1 --fail 1' 'stage2 --fail 77' 'stage3 --bench'
is "$status $(cells build/t.tsv stage)" '1 stage3' 'a run that fails does not stop the others; one that skips is no failure'
like "$err" '^build/stage1: exit status 1$' 'it is named'
measured build/t.tsv -- 'stage1 --fail 3'
is "$status $(ls build/t.tsv 2>&1 | grep -c cannot)" '1 1' 'without rows there is no table, and not that of an earlier run'
measured build/t.tsv -- 'stage1 --silent'
is "$status" 1 'a run without a row is a failure'
like "$err" '^ladder: build/stage1 --silent: left no row in build/t.tsv$' 'which is named'
measured build/t.tsv -- 'stage1 T=8 R=2 --bench' 'stage1 BAD=1 --bench'
is "$status $(cells build/t.tsv knobs)" '1 T=8,R=2' 'a build with knobs is run; one that fails is a failure'
like "$err" 'error: BAD' 'with what the compiler says'
is "$(readlink stage1)" build/stage1 'and ./stage1 is the plain program afterward'
like "$out" '^T=8 R=2: ran stage1' 'its knobs precede what it prints'
measured --knobs build/t.tsv -- 'stage1 BAD=1,2 --bench' 'stage1 T=8 --bench'
is "$status $(cells build/t.tsv knobs status rate | tr '\n' ',')" '0 T=8 ok 5,BAD=1 error ,BAD=2 error ,' 'in a map of knobs, builds that fail are rows without a measurement, the first one too'
measured --show rate build/t.tsv -- 'stage1 --bench'
like "$out" '^stage1 +x +8 +5$' 'the table is shown, in one column'
measured --keep new build/t.tsv -- 'stage1 --bench'
is "$(cells results/G/new.tsv stage) $(ls build/t.tsv 2>&1 | grep -c cannot)" 'stage1 1' 'or kept with the results of its GPU'
sed -i 's/# device: G/# device: GPU A (x2)/' program
measured --keep new build/t.tsv -- 'stage1 --bench'
is "$(ls results | tr '\n' ' ')" 'G GPU_A_x2_ ' 'whose name may be any'
LADDER_DEVICE=cpu measured --keep new build/t.tsv -- 'stage1 --bench'
is "$(cells results/cpu/new.tsv stage)" stage1 'or with those of the CPU device'
sed -i 's/# device: GPU A (x2)/# device: G/' program
measured --keep new build/t.tsv -- 'stage1 --bench' 'stage2 --fail 1'
is "$status $(cells results/G/new.tsv stage)" '1 stage1' 'but not if a run failed'
refused 'measure: expected TABLE -- LINE' "$LADDER" measure build/t.tsv
refused 'LADDER_BUILD, LADDER_MAKE or LADDER_DEVICE is not set' env -u LADDER_BUILD "$LADDER" measure build/t.tsv -- stage1

# --- counting

measured build/t.tsv -- 'ncu=dram_read_bytes,instructions stage1 --size 8' 'stage2 --bench'
is "$(cells build/t.tsv stage mode rate dram_read_bytes instructions)" 'stage1 count  1024 7
stage2 cold 5  ' 'ncu counts in one call; kernels are added up'
like "$(cat called)" '^stage1 --bench --alone --size 8$' 'after a run that has the result checked'
like "$(cat called)" 'csv --metrics smsp__inst_executed.sum,dram__bytes_read.sum ./build/stage1 --once --size 8$' 'with these counters'
like "$(cat build/t.tsv)" '^# command: ncu stage1 --bench --alone --size 8$' 'the command says so'
cat >ncu.csv <<'EOF2'
==PROF== Connected to process 1
"ID","Process ID","Kernel Name","Metric Name","Metric Unit","Metric Value"
"0","1","f(float, int)","l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum","sector","131,072"
"0","1","f(float, int)","smsp__sass_inst_executed_op_shared_ld.sum","inst","32,768"
"0","1","f(float, int)","smsp__sass_inst_executed_op_shared_st.sum","inst","32,768"
"1","1","g","l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum","sector","8"
"0","1","f(float, int)","smsp__cycles_elapsed.avg.per_second","hz","7"
"1","1","g","smsp__cycles_elapsed.avg.per_second","hz","9"
"1","1","g","smsp__inst_executed.sum","inst","n/a"
EOF2
measured build/t.tsv -- 'ncu stage1 --size 8'
is "$(cells build/t.tsv ld_sectors shared_requests st_sectors cycles_per_second)" '131080 65536  ' 'two counters of one column are added up; what is not counted is empty'
unlike "$(cat called)" 'ldgsts|texture' 'counters that this ncu does not know are not asked for'
measured build/t.tsv -- 'ncu=cycles_per_second,instructions stage1 --size 8'
is "$(cells build/t.tsv cycles_per_second instructions)" '9 ' 'a clock is not added up; n/a is no number'
printf '%s\n' '"ID","Metric Name","Metric Value"' '"0","dram__bytes_read.sum","99"' '"1","dram__bytes_read.sum","1,007"' >ncu.csv
measured build/t.tsv -- 'ncu=dram_bytes demo_a'
is "$(cells build/t.tsv stage rate dram_bytes)" 'demo_a 5 1007' 'the rows of a demonstration get a column, from the last launches'
printf 'no kernels\n' >ncu.csv
measured build/t.tsv -- 'ncu stage1' 'ncu=dram_bytes demo_a'
is "$status $(ls build/t.tsv 2>&1 | grep -c cannot)" '1 1' 'nothing counted is a failure'
like "$err" 'no kernels' 'with what ncu says'
LADDER_NCU=./nonesuch measured build/t.tsv -- 'ncu stage1 --size 8' 'stage2 --bench' 'ncu=dram_bytes demo_a'
is "$status $(cells build/t.tsv stage dram_bytes | tr '\n' ',')" '0 stage2 ,demo_a ,' 'without ncu nothing is counted, and the rest is measured'
like "$out" '^SKIP: counts: counting needs ncu' 'and it says so'
echo '==ERROR== ERR_NVGPUCTRPERM' >ncu.csv
measured build/t.tsv -- 'ncu stage1 --size 8'
is "$status" 0 'counters that may not be read are skipped'
like "$out" '^SKIP: the counters of this GPU may not be read' 'with the reason'

# --- what claims need

printf 'stage1 (sm_90, 8): rate > stage2[T=2 a=1].rate\nstage1 (sm_90, 8): rate < 9 * stage2[T=2 a=1].rate\nstage1 (sm_90, 8, b): rate > stage2.rate + ref_a.rate\nstage1 (sm_90, 8, int, hot): rate > 1\nstage3 (cpu, 8): 1 == 2\n' >claims
rm -f called
run "$LADDER" claims --device gpu --measure build/claims.tsv -- claims
is "$(grep '^stage' called)" 'stage2@T=2 --bench --size 8 --a 1
stage1 --bench --size 8
stage2 --bench --size 8 --b
stage1 --bench --size 8 --b
stage1 --bench --size 8 --type int --hot' 'what claims are about is measured, nothing twice'
echo 'stage1 (sm_90, 8, fail=3): rate == 5' >claims
run "$LADDER" claims --device gpu --measure build/claims.tsv -- claims
is "$status" 1 'a run that ends with a CUDA error is a failure'
like "$out" '^  not measured yet' 'and its claim is not measured'
echo 'stage1 (sm_90, 8): rate == 5' >claims
run "$LADDER" claims --device gpu --measure build/claims.tsv -- claims
is "$status $(awk '/rate/ { print $1 }' <<<"$out")" '0 holds' 'and then judged'
rm -f called
LADDER_ONLY=stage2 run "$LADDER" claims --device gpu --measure build/claims.tsv -- claims
is "$status $(ls called 2>&1 | grep -c cannot)" '0 1' 'claims of other stages than those asked for are not'

# --- a file `runs`, and what is recorded

cat >runs <<'END'
# a comment

ladder  gpu  stages --bench
ladder  gpu  stage2- --bench --size 8,9 --hot
shmoo   gpu  stage1 --shmoo
knobs   any  stage1 T=1,2 R=3,BAD --bench
demo    gpu  demo_a
counts  cpu  stages --count
broken  gpu  stage2 --fail 1
END
measured --part ladder build/t.tsv -- --size 7
is "$(grep '^stage' called)" 'stage1 --bench --size 7
stage2 --bench --size 7
stage3 --bench --size 7
stage2 --bench --size 7 --hot
stage3 --bench --size 7 --hot' 'options replace those of a line, or are added'
measured --part demo build/t.tsv -- --size 7
is "$(grep '^demo' called)" 'demo_a ' 'but not for a program that is no stage'
LADDER_DEVICE=cpu measured --part ladder build/t.tsv --
is "$status $out" '0 SKIP: make ladder needs a GPU' 'a part for the GPU is skipped on the CPU device'

record() { rm -f called; run "$LADDER" record "$@"; }
kept=plots/data/kept
record kept ladder shmoo
is "$status $(ls $kept | tr '\n' ' ')" '0 w.ladder.tsv w.shmoo.tsv ' 'parts are kept under their names'
is "$(cells $kept/w.ladder.tsv stage | tr '\n' ' ')" 'stage1 stage2 stage3 stage2 stage2 stage3 stage3 ' 'with the rows of all their runs'
before=$(cat $kept/w.shmoo.tsv)
record kept broken
is "$status $(ls $kept | tr '\n' ' ')" '1 w.ladder.tsv w.shmoo.tsv ' 'a part of which a run fails is not kept'
record kept knobs
is "$status $(cells $kept/w.knobs.tsv knobs status | tr '\n' ',')" '0 T=1,R=3 ok,T=2,R=3 ok,T=1 R=BAD error,T=2 R=BAD error,' 'but builds that fail are rows of the map of knobs'
sed -i '/^w\t/s/\t5$/\t4/' $kept/w.ladder.tsv
LADDER_ONLY=stage2 record kept ladder
is "$(cells $kept/w.ladder.tsv stage rate | tr '\n' ',')" 'stage1 4,stage2 5,stage3 4,stage2 5,stage2 5,stage3 4,stage3 4,' 'runs of some stages take their places'
LADDER_ONLY=stage3 record kept shmoo
is "$status $(cat $kept/w.shmoo.tsv)" "0 $before" 'a stage that a part does not have changes nothing'
like "$out" '^shmoo: nothing was measured$' 'and it says so'
sed -i 's/# device: G/# device: H/' program
LADDER_ONLY=stage2 record kept ladder
is "$status" 2 'runs of some stages on another device are refused'
like "$err" 'w.ladder.tsv: recorded with device .G., this run has .H.; record all stages' 'with the reason'
like "$(cat $kept/w.ladder.tsv)" '^# device: G$' 'and nothing is changed'
sed -i 's/# device: H/# device: G/' program
refused "record: PARTS: there is no part 'nonsense' here; there are: ladder shmoo knobs demo broken" "$LADDER" record kept nonsense
refused "TO='': expected a name" "$LADDER" record ''
refused "TO='../x': expected a name" "$LADDER" record ../x
LADDER_DEVICE=cpu record cpu
is "$status $(cells plots/data/cpu/w.counts.tsv stage | tr '\n' ' ')" '0 stage1 stage2 stage3 ' 'all parts of the CPU device'
echo 'ladder tpu stages' >>runs
refused "runs:10: 'ladder tpu stages': expected PART gpu\|cpu\|any PROGRAM" "$LADDER" record kept ladder
for bad in 'ladder gpu stage9 --bench|there is no stage9 here' 'ladder gpu stages- --bench|.stages-.: expected a stage.s number' \
    'ladder gpu ncu=regs stage1|.regs. is not a column that ncu counts' '../x gpu stage1|expected a name'; do
    echo "${bad%|*}" >runs
    refused "${bad#*|}" "$LADDER" record kept
done
echo 'ladder gpu stage1' >runs
refused "measure: there is no part 'nope' here" "$LADDER" measure --part nope build/t.tsv --
refused "keep='../x': expected a name" "$LADDER" measure --keep ../x build/t.tsv -- stage1
done_testing
