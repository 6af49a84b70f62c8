#!/usr/bin/env bash
# `ladder measure`, `ladder claims --measure` and `ladder record`: the file `runs`, with scripts in place of programs,
# make and ncu.
. "$(dirname "$0")/lib.sh"
use_ladder
# `ladder` records into the folder above its own.
mkdir -p "$TMP/build" "$TMP/plots/data" "$TMP/01_w/results" "$TMP"/01_w/build/{gpu,cpu}
cp "$LADDER" "$TMP/build/ladder"
LADDER=$TMP/build/ladder
cd "$TMP/01_w" || exit 1
for stage in 1 2 3; do
    echo "// stage$stage: x"
    printf '#ifndef %s\n#define %s 1\n#endif\n' T T R R BAD BAD
done | split -l 10 - part
for stage in 1 2 3; do mv "$(ls part* | head -n 1)" stage${stage}_x.cu; done

# The script of all programs: appends a row and logs its call to `called`; "--fail N" ends with that status.
cat >program <<'END'
#!/bin/sh
command="${0##*/} $(echo "$*" | sed 's/--tsv [^ ]* *//')"
echo "$command" >>called
case $* in *'--fail '*) exit "$(echo "$*" | sed 's/.*--fail \([0-9]*\).*/\1/')" ;; *--silent*) exit 0 ;; esac
while [ $# != 0 ]; do case $1 in --tsv) tsv=$2 ;; --once) exit 0 ;; esac; shift; done
stage=${0##*/} knobs=
case $stage in *@*) knobs=${stage#*@} stage=${stage%%@*} ;; esac
columns=$("$LADDER" columns | sed 's/ .*//')
[ -s "$tsv" ] ||
    { printf '# device: G\n# date: 2000-01-02\n# command: %s\n' "$command"; echo $columns | tr ' ' '\t'; } >"$tsv"
grep -q "^# command: $command\$" "$tsv" || echo "# command: $command" >>"$tsv"
for column in $columns; do
    case $column in
    stage) echo "$stage" ;; knobs) echo "$knobs" ;; status) echo ok ;; mode) echo cold ;;
    week) echo w ;; name) echo x ;; rate) echo 5 ;; median_us) echo 1 ;; size) echo 8 ;; *) echo ;;
    esac
done | paste -s >>"$tsv"
echo "ran $stage${knobs:+ $knobs}"
END
# build TARGET...: in place of make, which builds what `ladder` prints with --plan
build()
{
    local name folder=build/$device

    for name; do
        echo "make $name" >>called
        case $name in *BAD*) echo 'error: BAD' >$folder/knobs.log; rm -f "$folder"/*BAD* ;; *) cp program \
            "$folder/$(sed 's/\([A-Z]\)-/\1=/g' <<<"$name")" ;; esac
    done
}
# ladder COMMAND WORD...: builds the programs and runs the command
ladder()
{
    local word machine=(--device "$device" --ncu "$ncu" --only "$only")

    rm -f called
    for word in plain knobs; do build $("$LADDER" "$1" "${machine[@]}" --plan $word "${@:2}" 2>"$TMP/err"); done
    run "$LADDER" "$1" "${machine[@]}" "${@:2}"
}
device=gpu ncu=./ncu only=
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
chmod +x program ncu
export LADDER
measured() { ladder measure "$@"; }

# --- runs

measured build/t.tsv -- 'stage1 --bench' 'stage2 --bench --size 8'
is "$status" 0 'ladder measure makes runs'
is "$(grep -v '^make' called)" 'stage1 --bench
stage2 --bench --size 8' 'runs are made one after the other, with their options'
is "$(sed '/^make/d;=' called | head -n 1) $(grep '^make' called | tr '\n' ' ')" '3 make stage1 make stage2 ' \
    'everything is built before the first run'
is "$(cells build/t.tsv stage | tr '\n' ' ')" 'stage1 stage2 ' 'the rows of the runs are collected'
measured build/t.tsv -- 'stages --size 3,4'
is "$(grep -c '^stage[123] --size [34]' called)" 6 'a line stands for one run per stage and value'
measured build/t.tsv -- 'stage1 --fail 1' 'stage2 --fail 77' 'stage3 --bench'
is "$status $(cells build/t.tsv stage)" '1 stage3' 'a failed run does not stop the others; a skipped run is no failure'
like "$err" '^build/gpu/stage1: exit status 1$' 'a failed run is named'
measured build/t.tsv -- 'stage1 --fail 3'
is "$status $(ls build/t.tsv 2>&1 | grep -c cannot)" '1 1' 'without rows there is no table, not even an earlier one'
measured build/t.tsv -- 'stage1 --silent'
is "$status" 1 'a run without a row is a failure'
like "$err" '^ladder: build/gpu/stage1 --silent: left no row in build/t.tsv$' 'a run without a row is named'
measured build/t.tsv -- 'stage1 T=8 R=2 --bench' 'stage1 BAD=1 --bench'
is "$status $(cells build/t.tsv knobs)" '1 T=8,R=2' 'a build with knobs is run; a build that fails is a failure'
like "$err" 'error: BAD' 'the output of a failed build is shown'
is "$(ls stage1 2>&1 | grep -c cannot)" 1 '`ladder` makes no link to a program'
like "$out" '^T=8 R=2: ran stage1' 'the knobs precede the output of the program'
measured --sweep build/t.tsv -- 'stage1 BAD=1,2 --bench' 'stage1 T=8 --bench'
is "$status $(cells build/t.tsv knobs status rate | tr '\n' ',')" '0 T=8 ok 5,BAD=1 error ,BAD=2 error ,' \
    'with --sweep, every failed build has a row without a measurement'
measured --show rate build/t.tsv -- 'stage1 --bench'
like "$out" '^stage1 +x +8 +5$' '--show prints one column of the table'
measured --keep new build/t.tsv -- 'stage1 --bench'
is "$(cells results/G/new.tsv stage) $(ls build/t.tsv 2>&1 | grep -c cannot)" 'stage1 1' \
    '--keep moves the table to the results of its GPU'
sed -i 's/# device: G/# device: GPU A (x2)/' program
measured --keep new build/t.tsv -- 'stage1 --bench'
is "$(ls results | tr '\n' ' ')" 'G GPU_A_x2_ ' 'the name of a GPU becomes a folder name'
device=cpu measured --keep new build/t.tsv -- 'stage1 --bench'
is "$(cells results/cpu/new.tsv stage)" stage1 '--keep on the CPU device uses results/cpu'
sed -i 's/# device: GPU A (x2)/# device: G/' program
measured --keep new build/t.tsv -- 'stage1 --bench' 'stage2 --fail 1'
is "$status $(cells results/G/new.tsv stage)" '1 stage1' '--keep keeps no table if a run failed'
refused 'measure: expected TABLE -- LINE' "$LADDER" measure --device gpu build/t.tsv
refused "--device '': the devices are gpu and cpu" "$LADDER" measure build/t.tsv -- stage1
refused '--plan all: expected plain or knobs' "$LADDER" measure --device gpu --plan all build/t.tsv -- stage1
run "$LADDER" measure --device gpu --plan knobs --set R=4,5 --set OTHER=1 build/t.tsv -- 'stage1 stage2 --bench'
is "$(tr '\n' ' ' <<<"$out")" 'stage1@R-4 stage1@R-5 stage2@R-4 stage2@R-5 ' \
    '--set adds a knob to the programs that have it'
run "$LADDER" measure --device gpu --plan knobs build/t.tsv -- 'stage1 R=2 T=8 --bench' 'stage1 R=2 T=8 --size 8'
is "$out" 'stage1@T-8,R-2' 'the targets have the knobs in the order of the file, each target once'
refused 'stage1 has no knob X; it has T R BAD' "$LADDER" measure --device gpu build/t.tsv -- 'stage1 X=2'

# --- counting

measured build/t.tsv -- 'ncu=dram_read_bytes,instructions stage1 --size 8' 'stage2 --bench'
is "$(cells build/t.tsv stage mode rate dram_read_bytes instructions)" 'stage1 count  1024 7
stage2 cold 5  ' 'ncu counts one call, and kernels are added up'
like "$(cat called)" '^stage1 --bench --alone --size 8$' 'a run that checks the result precedes ncu'
like "$(cat called)" 'csv --metrics smsp__inst_executed.sum,dram__bytes_read.sum ./build/gpu/stage1 --once --size 8$' \
    'ncu is called with the requested counters'
like "$(cat build/t.tsv)" '^# command: ncu stage1 --bench --alone --size 8$' 'the command in the table begins with ncu'
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
is "$(cells build/t.tsv ld_sectors shared_requests st_sectors cycles_per_second)" '131080 65536  ' \
    'two metrics for one column are added up; a column without a count is empty'
unlike "$(cat called)" 'ldgsts|texture' 'metrics that this ncu does not know are not requested'
measured build/t.tsv -- 'ncu=cycles_per_second,instructions stage1 --size 8'
is "$(cells build/t.tsv cycles_per_second instructions)" '9 ' 'a clock is not added up, and n/a is ignored'
printf '"%s","%s","%s"\n' ID 'Metric Name' 'Metric Value' {0,dram__bytes_read.sum,99} {1,dram__bytes_read.sum,1\,007} \
    >ncu.csv
measured build/t.tsv -- 'ncu=dram_bytes demo_a'
is "$(cells build/t.tsv stage rate dram_bytes)" 'demo_a 5 1007' \
    'a column of a demonstration is filled in from the last launches'
printf 'no kernels\n' >ncu.csv
measured build/t.tsv -- 'ncu stage1' 'ncu=dram_bytes demo_a'
is "$status $(ls build/t.tsv 2>&1 | grep -c cannot)" '1 1' 'ncu without counts is a failure'
like "$err" 'no kernels' 'the output of ncu is shown'
ncu=./nonesuch measured build/t.tsv -- 'ncu stage1 --size 8' 'stage2 --bench' 'ncu=dram_bytes demo_a'
is "$status $(cells build/t.tsv stage dram_bytes | tr '\n' ',')" '0 stage2 ,demo_a ,' \
    'without ncu nothing is counted, but other runs are made'
like "$out" '^SKIP: counts: counting needs ncu' 'missing ncu is reported'
echo '==ERROR== ERR_NVGPUCTRPERM' >ncu.csv
measured build/t.tsv -- 'ncu stage1 --size 8'
is "$status" 0 'counters that may not be read are skipped'
like "$out" '^SKIP: the counters of this GPU may not be read' 'the reason for skipped counters is printed'

# --- the runs that claims need

cat >claims <<'END'
stage1 (sm_90, 8): rate > stage2[T=2 a=1].rate
stage1 (sm_90, 8): rate < 9 * stage2[T=2 a=1].rate
stage1 (sm_90, 8, b): rate > stage2.rate + ref_a.rate
stage1 (sm_90, 8, int, hot): rate > 1
stage3 (cpu, 8): 1 == 2
END
rm -f called
ladder claims --measure build/claims.tsv -- claims
is "$(grep '^stage' called)" 'stage2@T=2 --bench --quick --size 8 --a 1
stage1 --bench --quick --size 8
stage2 --bench --quick --size 8 --b
stage1 --bench --quick --size 8 --b
stage1 --bench --quick --size 8 --type int --hot' 'each row that the claims need is measured once'
echo 'stage1 (sm_90, 8, fail=3): rate == 5' >claims
ladder claims --measure build/claims.tsv -- claims
is "$status" 1 'a run that ends with a CUDA error is a failure'
like "$out" '^  not measured yet' 'the claim of a failed run is not measured'
echo 'stage1 (sm_90, 8): rate == 5' >claims
ladder claims --measure build/claims.tsv -- claims
is "$status $(awk '/rate/ { print $1 }' <<<"$out")" '0 holds' 'claims are judged after the runs'
rm -f called
only=stage2 ladder claims --measure build/claims.tsv -- claims
is "$status $(ls called 2>&1 | grep -c cannot)" '0 1' 'claims of stages that are not requested need no runs'

# --- the file `runs`, and recorded tables

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
stage3 --bench --size 7 --hot' 'options of the command line replace those of a line, or are added'
measured --part demo build/t.tsv -- --size 7
is "$(grep '^demo' called)" 'demo_a ' 'options of the command line are not added for a program that is not a stage'
device=cpu measured --part ladder build/t.tsv --
is "$status $out" '0 SKIP: make ladder needs a GPU' 'a part for the GPU is skipped on the CPU device'

record() { ladder record "$@"; }
kept=../plots/data/kept
record kept ladder shmoo
is "$status $(ls $kept | tr '\n' ' ')" '0 01_w.ladder.tsv 01_w.shmoo.tsv ' 'each recorded part has a table'
is "$(cells $kept/01_w.ladder.tsv stage | tr '\n' ' ')" 'stage1 stage2 stage3 stage2 stage2 stage3 stage3 ' \
    'a recorded part has the rows of all its runs'
before=$(cat $kept/01_w.shmoo.tsv)
record kept broken
is "$status $(ls $kept | tr '\n' ' ')" '1 01_w.ladder.tsv 01_w.shmoo.tsv ' 'a part with a failed run is not recorded'
record kept knobs
is "$status $(cells $kept/01_w.knobs.tsv knobs status | tr '\n' ',')" \
    '0 T=1,R=3 ok,T=2,R=3 ok,T=1 R=BAD error,T=2 R=BAD error,' 'failed builds are rows of the part knobs'
sed -i '/^w\t/s/\t5$/\t4/' $kept/01_w.ladder.tsv
only=stage2 record kept ladder
is "$(cells $kept/01_w.ladder.tsv stage rate | tr '\n' ',')" \
    'stage1 4,stage2 5,stage3 4,stage2 5,stage2 5,stage3 4,stage3 4,' \
    'runs of requested stages replace their earlier rows'
only=stage3 record kept shmoo
is "$status $(cat $kept/01_w.shmoo.tsv)" "0 $before" 'a requested stage that a part does not have changes nothing'
like "$out" '^shmoo: nothing was measured$' 'a part without runs is reported'
sed -i 's/# device: G/# device: H/' program
only=stage2 record kept ladder
is "$status" 2 'recording some stages on another device is refused'
like "$err" '01_w.ladder.tsv: recorded with device .G., this run has .H.; record all stages' \
    'the refusal names both devices'
like "$(cat $kept/01_w.ladder.tsv)" '^# device: G$' 'a refused record changes nothing'
sed -i 's/# device: H/# device: G/' program
refused "record: PARTS: there is no part 'nonsense' here; there are: ladder shmoo knobs demo broken" \
    "$LADDER" record --device gpu kept nonsense
refused "TO='': expected a name" "$LADDER" record --device gpu ''
refused "TO='../x': expected a name" "$LADDER" record --device gpu ../x
device=cpu record cpu
is "$status $(cells ../plots/data/cpu/01_w.counts.tsv stage | tr '\n' ' ')" '0 stage1 stage2 stage3 ' \
    'record without parts records all parts for the CPU device'
echo 'ladder tpu stages' >>runs
refused "runs:10: 'ladder tpu stages': expected PART gpu\|cpu\|any PROGRAM" "$LADDER" record --device gpu kept ladder
for bad in 'ladder gpu stage9 --bench|there is no stage9 here' \
    'ladder gpu stages- --bench|.stages-.: expected numbers of stages' \
    'ladder gpu ncu=regs stage1|.regs. is not a column that ncu counts' '../x gpu stage1|expected a name'; do
    echo "${bad%|*}" >runs
    refused "${bad#*|}" "$LADDER" record --device gpu kept
done
echo 'ladder gpu stage1' >runs
refused "measure: there is no part 'nope' here" "$LADDER" measure --device gpu --part nope build/t.tsv --
refused "keep='../x': expected a name" "$LADDER" measure --device gpu --keep ../x build/t.tsv -- stage1
done_testing
