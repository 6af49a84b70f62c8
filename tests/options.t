#!/usr/bin/env bash
# Command lines: a bad one causes one line on stderr that names the option and what is expected; --help and correct ones
# succeed.
. "$(dirname "$0")/lib.sh"

fresh_tree 01_transpose/shared 04_convolution/shared
check_small_sizes
cd "$TREE/01_transpose" || exit 1
ok 'build' make -s DEVICE=cpu stage3

program=./stage3
# refused STATUS TEXT option...
refused()
{
    local want=$1 text=$2
    shift 2
    fails "$want" "$*: exit status $want" "$program" "$@"
    is "$(grep -c '' <<<"$err")" 1 "$*: one line on stderr"
    like "$err" "$text" "$*: the line says what is wrong"
    is "$out" '' "$*: nothing on stdout"
}
refused 2 "unknown option" --nonesuch
refused 2 "unknown" -z
refused 2 "unknown argument" 1024
refused 2 "size '0'" --size 0
refused 2 "size '-1'" --size -1
refused 2 "size '-1'" -n -1
refused 2 "size 'abc'" --size abc
refused 2 "size ''" --size ''
refused 2 "size '99999999999999999999'" --size 99999999999999999999
refused 2 "size '1x2x3'" --size 1x2x3
refused 2 "size '12x'" --size 12x
refused 2 "size 'x12'" --size x12
refused 2 "size '0x12'" --size 0x12
refused 2 "size '1e3'" --size 1e3
refused 2 "size '3 4'" --size '3 4'
refused 2 "size '16\.5'" --size 16.5
refused 2 "size '100000x100000'" --size 100000x100000
refused 2 'needs a value' --size
refused 2 "type 'double'" --type double
refused 2 "reps '0'" --reps 0
refused 2 "reps 'many'" --reps many
refused 2 "reps '1000000000000'" --reps 1000000000000
refused 2 "seed 'x'" --seed x
refused 2 "seed '-3'" --seed -3
refused 2 "device '-1'" --device -1
refused 2 'device' --device 99
refused 2 'tsv' --tsv /nonesuch/folder/rows.tsv
refused 2 'tsv' --tsv .
refused 2 'choose one' --check --bench
refused 2 'quick: expected only with --bench, or with --check' --quick
refused 2 'quick: expected only with --bench, or with --check' --check --quick --size 32x32
refused 2 'hot' --hot
refused 2 "rules '7'.*expected one of 1\.0 .* 9\.0" --rules 7
refused 2 "rules ''" --rules ''
for bad in 0 -1 '' 2.5 many 0x10 10001 99999999999999999999; do
    refused 2 "^stage3: --sms '$bad': expected a whole number from 1 to 10000" --sms "$bad"
done
refused 2 'only a GPU runs references' --alone
printf 'name\tage\nme\t3\n' >"$TMP/other.tsv"
refused 2 'other.tsv' --bench --tsv "$TMP/other.tsv"
is "$(cat "$TMP/other.tsv")" "$(printf 'name\tage\nme\t3')" 'a file that is not a result table is not changed'

ok '--check --quick checks small sizes' ./stage3 --check --quick
unlike "$out" '^511x513|^65537x2 ' 'it skips large sizes'
like "$out" '^100x204 +right' 'it checks small sizes'
ok '--help' ./stage3 --help
for option in --{size,type,check,quick,bench,count,claims,shmoo,hot,rules} \
    --{sms,alone,reps,seed,device,tsv,help,version}; do
    like "$out" "^ .* *$option( |$)" "--help names $option"
done
ok '--version' ./stage3 --version
run bash -c 'ulimit -v 2000000; ./stage3 --bench --size 40000x40000'
# 77 if the harness finds it before it allocates, 3 if the allocation fails.
like "$status" '^(3|77)$' 'a size that does not fit into memory is refused'
is "$(grep -c '' <<<"$err")" 1 'a size that does not fit into memory is reported in one line'

run ./stage3 --bench --size 256
want=$out
for workers in 1 2 256 ''; do
    ok "EMU_THREADS=$workers is accepted" env EMU_THREADS=$workers ./stage3 --bench --size 256
    is "$out" "$want" "EMU_THREADS=$workers does not change counts"
done
for setting in EMU_THREADS={0,-1,many,257,99999999999999999999,1e300,nan,2x} \
    EMU_PATIENCE={0,-1,abc,1e300,inf,nan,5s}; do
    fails 2 "$setting is refused" env $setting ./stage3 --bench --size 32 --no-results
    is "$(grep -c '' <<<"$err") $out" '1 ' "$setting is refused in one line"
    like "$err" "CPU device: ${setting%%=*}='${setting#*=}': expected a number from " "$setting: the line names it"
done
ok 'EMU_PATIENCE=0.5 is accepted' env EMU_PATIENCE=0.5 ./stage3 --bench --size 32 --no-results
refused 2 "^stage3: --reps '-1': expected a whole number from 1 to" --reps -1
refused 2 "^stage3: --size '0x10': a size is 1 or more, in decimal digits" --size 0x10
for option in --size --type --no-such --block; do
    fails 2 "$option with 100,000 characters is refused" ./stage3 --lanes $option \
        "$(head -c 100000 /dev/zero | tr '\0' 1)"
    holds "$option: the message is short" "${#err}" -lt 2000
done
like "$err" "--block '1111.*'|^stage3: --block '1+ \.\.\. .*not a block; expected its number" 'and keeps its end'
# Somewhere between these limits, each part of the program is the first to lack memory. Each worker needs some, so their
# number is fixed.
for limit in {100..600..50}000 unlimited; do
    run bash -c "ulimit -v $limit; EMU_THREADS=2 exec ./stage3 --bench --no-results --size 512"
    case $status in 0) ;; 3) [ "$(grep -c '' <<<"$err")" = 1 ] || break ;; *) break ;; esac
done
is "$limit $status" 'unlimited 0' 'a program that lacks memory ends with status 3 and one line'

# --- the first stages have a report of five lines

ok 'stage 3' ./stage3
is "$(sed 's/, s/,\n s/g' <<<"$out")" 'stage3 padding: shared-memory padding (no bank conflicts)
  check    right at 1024x1024 and at 18 awkward sizes, two calls each, equal bits
  launch   transpose_tile<<<32x32 blocks, 32x32 threads>>>, 4224 B shared memory
  counts   loads 32768 requests of 4 sectors,
 stores 32768 requests of 4 sectors,
 shared memory 65536 requests of 1 wavefront
  next     make diff B=4; the whole report: ./stage3 --all' 'a first stage prints five lines'
ok 'stage 3 --for' ./stage3 --for h200
like "$out" '^  model    NVIDIA H200' 'with --for, the model follows'
ok 'stage 3 --all' ./stage3 --all
like "$out" '^  holds .* shared_requests' '--all prints the claims'
like "$out" '^ +[0-9]+  tile\[threadIdx' '--all prints the source lines'
refused 2 '--all and --check: choose one of them' --all --check
sed 's/TILE + 1\]/TILE]/' stage3_padding.cu >stage95_slow.cu
sed -i 's/^\( *\.brief = "\)/\1stage95 /' transpose.c
make -s DEVICE=cpu stage95 >/dev/null
ok 'a first stage whose claim does not hold' ./stage95
like "$out" '^  does not hold .* 1081344, 65536' 'prints the claim'
is "$(grep -c . <<<"$out")" 6 'and no more'
sed 's/out\[y \* rows + x\] = tile/out[y * rows + x] = 1 + tile/' stage3_padding.cu >stage95_slow.cu
make -s DEVICE=cpu stage95 >/dev/null
fails 1 'a first stage that is wrong' ./stage95
like "$err" 'WRONG at 1x1: ' 'says what is wrong'
rm -f stage95*

# --- lines that fit the terminal

words() { tr -s '[:space:]' '\n'; }
longest() { awk '{ if (length($0) > most) most = length($0) } END { print most + 0 }'; }
run ./stage3 --all
whole=$out
holds 'without a terminal, lines are not broken' "$(longest <<<"$whole")" -gt 100
for columns in 80 100; do
    run env COLUMNS=$columns ./stage3 --all
    holds "COLUMNS=$columns: the report fits" "$(longest <<<"$out")" -le $columns
    is "$(words <<<"$out")" "$(words <<<"$whole")" "COLUMNS=$columns: no word is lost"
done
like "$out" '^           [a-z0-9]' 'the rest of a line is below its text'
COLUMNS=x refused 2 "COLUMNS 'x': expected a whole number"
run env COLUMNS=20 ./stage3
holds 'a report has at least 80 columns' "$(longest <<<"$out")" -gt 60
run env COLUMNS=80 ./stage3 --bench --size 32 --tsv -
is "$(grep -c $'^01_transpose\t.*\t' <<<"$out")" 1 'rows are not broken'
if script -qc true /dev/null </dev/null >/dev/null 2>&1; then
    longest=$(script -qc "stty cols 90; exec ./stage3" /dev/null </dev/null | tr -d '\r' | longest)
    is "$((longest > 80 && longest <= 90))" 1 'a terminal has its own width'
else
    skip 'a terminal has its own width' 'this needs script (apt-get install bsdutils) and a pseudo-terminal'
fi

# --- a program that is stopped while it writes

before=$(cat results/cpu/rows.tsv)
err=$(ulimit -f 0; ./stage3 --bench --size 32 2>&1)   # through pipes, because the limit is for all files
is $? 2 'results that are too large for a limit are refused'
like "$err" 'results/cpu/rows.tsv: cannot be written: File too large' 'the file is named'
is "$(cat results/cpu/rows.tsv)" "$before" 'nothing unfinished stays'
(flock 9; sleep 2; printf '# of another program\n' >&9) 9>>results/cpu/rows.tsv & other=$!
sleep 1
ok 'the next run' ./stage3 --bench --size 32
wait $other
is "$(tail -n 4 results/cpu/rows.tsv | sed 's/^# time.*/# time/' | cut -f 1-3)" $'# of another program
# command: ./stage3 --bench --size 32\n# time\n01_transpose\tstage3\tpadding' 'waits for another program that writes'
printf '01_transpose\tstage3\tpad' >>results/cpu/rows.tsv
ok 'a run after a killed one' ./stage3 --bench --size 32
like "$err" 'results/cpu/rows.tsv: its last line is incomplete and becomes a note' \
    'it says what it does with the unfinished row'
noted=$(grep -c $'^# incomplete line: 01_transpose\tstage3\tpad$' results/cpu/rows.tsv)
is "$(grep -c pad results/cpu/rows.tsv) $noted" \
    "$(($(grep -c padding <<<"$before") + 3)) 1" 'keeps what a killed program has left, as a note, and its own row'

# --- rows

ok '--size 48x80' ./stage3 --bench --size 48x80 --tsv "$TMP/rows.tsv"
ok '--size 32' ./stage3 --bench --size 32 --tsv "$TMP/rows.tsv"
is "$(grep -c '^week	' "$TMP/rows.tsv")" 1 'a table has one header, however often rows are appended'
is "$(cells "$TMP/rows.tsv" stage size status mode | tr '\n' ,)" 'stage3 48x80 ok count,stage3 32x32 ok count,' \
    'rows have the size and status of each run'
run ./stage3 --bench --size 32 --tsv -
is "$(head -n 1 <<<"$out")" '# device: CPU device' '--tsv - prints the table to stdout'
{ echo notes; ./stage3 --bench --size 32 --tsv -; } >"$TMP/notes"
like "$(cat "$TMP/notes")" '^week	stage	' '--tsv - prints the header, even if stdout is a file with other text'
is "$(awk -F'\t' '/^#/ { next } { n[NF]++ } END { for (i in n) k++; print k }' <<<"$out")" 1 \
    'all rows have the same number of fields'
for column in week stage name device type size knobs variant mode status reps median_us p10_us p90_us min_us graph_us \
    bytes flops rate unit kernels kernel grid block regs shared_bytes blocks_per_sm ld_requests ld_sectors ld_ahead \
    st_requests st_sectors ld_bytes st_bytes tex_requests atomic_requests shared_requests shared_wavefronts \
    shared_requests_source shared_wavefronts_source barriers active_lanes peak_gbs l2_bytes seed max_error date; do
    like "$(grep '^week	' <<<"$out" | tr '\t' '\n')" "^$column\$" "the table has the column $column"
done
ok '--rules 1.1' ./stage3 --all --rules 1.1 --size 32
like "$out" 'counts +in warp instructions and transactions' 'a report by older rules counts transactions'
like "$out" 'global loads +32 requests, +64 transactions: 2 per request' \
    '--rules 1.1 counts one transaction per half-warp'
ok '--sms 132' ./stage3 --all --sms 132 --size 32
like "$out" '^  recorded: .* NVIDIA H200' '--sms does not hide the recorded run'
like "$out" '^  model    [0-9.]+ us on NVIDIA H200, 32x32; latency: ' \
    'the report has the modeled time on the GPU of the recorded runs, and what limits it'
ok '--rules 9.0 is accepted' ./stage3 --rules 9.0 --bench --size 32
like "$out" '32x32, count  loads 32 x 4 sectors' '--rules 9.0 counts as the default rules'
ok 'the same run again' ./stage3 --bench --size 32
# `make progress` shows the largest size.
sed -i '/\t40000x40000\t/d' results/cpu/rows.tsv
rows=$(grep -c . results/cpu/rows.tsv)
for s in 40 48 40; do ./stage3 --bench --size $s >"$TMP/log" || cat "$TMP/log"; done
sed -i '/\tstage3\t/s/\t40x40\t/\t4096x4096\t/' results/cpu/rows.tsv
is "$(($(grep -c . results/cpu/rows.tsv) - rows))" 9 'each run appends its rows to the results'
run make -s DEVICE=cpu progress STAGES=stage3
like "$out" ' 4096x4096 ' 'a row of the same run replaces the earlier one in results/'
chmod a-w results/cpu/rows.tsv
if [ -w results/cpu/rows.tsv ]; then skip 'results that cannot be written are refused' 'root writes everywhere'
else fails 2 'results that cannot be written are refused' ./stage3 --bench --size 32; fi
chmod u+w results/cpu/rows.tsv

# --- options of one week, and the files that they name

cd "$TREE/04_convolution" || exit 1
program=./stage1
ok 'build' make -s DEVICE=cpu stage1
ok '--help' ./stage1 --help
for option in --{kernel,pitch,image,out}; do like "$out" "^ *$option( |$)" "--help names $option"; done

# picture FILE HEIGHT WIDTH [HEADER]: writes a picture whose pixels are all 100
picture()
{
    { printf "${4-P5\\n%d %d\\n255\\n}" "$3" "$2"; head -c $(($2 * $3)) /dev/zero | tr '\0' d; } >"$1"
}
in=$TMP/in.pgm made=$TMP/out.pgm
picture "$in" 40 60
ok '--image and --out' ./stage1 --image "$in" --out "$made" --kernel box
is "$(head -n 3 "$made" | tr '\n' ' ')" 'P5 60 40 255 ' 'the written picture has the size of the image'
is "$(tail -n +4 "$made" | tr -d d | wc -c)" 0 'a box filter does not change a uniform picture'
picture "$in" 40 60 'P5 # binary\n# of a test\n%d\t%d # remarks\n255\n'
ok 'a picture with comments in its header is read' ./stage1 --image "$in" --bench
rm "$made"
ok '--out without --image' ./stage1 --size 33x65 --out "$made"
is "$(wc -c <"$made")" $((13 + 33 * 65)) '--out without --image writes a picture'
like "$(ls -l "$made")" '^-rw-r--r--' 'other users can read the written picture'
cp "$made" "$TMP/before"
picture "$in" 600 600
refused 2 'image.*600x600.*seed' --image "$in" --seed 2
refused 2 '--size and --image' --image "$in" --size 64
refused 2 '--image and --shmoo' --image "$in" --shmoo
refused 2 'pitch: applies to one size.*give --size' --pitch 999 --check
refused 2 '--out and --check' --out "$made" --check
refused 2 '--out and --claims' --out "$made" --claims
refused 2 "out '/nonesuch/x': No such file" --out /nonesuch/x
refused 2 "out '/dev/null': no ordinary file" --out /dev/null
refused 2 "out '.*': (Is a directory|no ordinary file)" --out "$TMP"
refused 2 "out '': no name" --out ''
picture "$TMP/ascii" 5 5 'P2\n%d %d\n255\n'
refused 2 'ascii.: a picture of kind P2; expected' --image "$TMP/ascii"
picture "$TMP/deep" 5 5 'P5\n%d %d\n65535\n'
refused 2 'largest value is 65535.*expected' --image "$TMP/deep"
picture "$TMP/none" 0 5
refused 2 '5 x 0 pixels.*expected' --image "$TMP/none"
picture "$TMP/no_height" 5 5 'P5\n%d\n'
refused 2 'ends after|a header without|largest value' --image "$TMP/no_height"
picture "$TMP/minus" 5 5 'P5\n-%d %d\n255\n'
refused 2 'a header without width' --image "$TMP/minus"
printf 'P5\n99999999999 99999999999\n255\n' >"$TMP/huge"
refused 2 'too many; expected' --image "$TMP/huge"
printf 'P5\n64 64\n255\nshort' >"$TMP/short"
refused 2 'ends after 5 of 4096 pixels' --image "$TMP/short"
: >"$TMP/empty"
refused 2 'empty.: no PGM; expected' --image "$TMP/empty"
refused 2 'No such file' --image /nonesuch.pgm
refused 2 'a folder' --image "$TMP"
refused 2 "no PGM" --image "$TMP/rows.tsv"

coefficients='1 2 3 4 5  6 7 8 9 10  11 12 13 14 15  16 17 18 19 20  21 22 23 24 -25'
# kernel TEXT: writes the text to the file `kernel`
kernel() { printf "$1" >"$TMP/kernel"; }
# bad_kernel TEXT REGEX: a file with this text is refused
bad_kernel() { kernel "$1"; refused 2 "$2" --kernel "$TMP/kernel"; }
kernel "$coefficients 1/300"
ok 'coefficients are read from a file' ./stage1 --kernel "$TMP/kernel" --bench
like "$out" ' kernel=' 'the report names the coefficients'
kernel "# the scale comes last\n1 1 1 1 1\n1 1 1 1 1\r\n1 1 1 1 1 # middle\n1 1 1 1 1\n1 1 1 1 1\n\n0.04"
ok 'coefficients may have comments and span several lines' ./stage1 --kernel "$TMP/kernel" --bench
ok 'coefficients can be chosen by name' ./stage1 --kernel emboss --check
refused 2 "kernel 'blur': No such file.*expected test, box, gaussian, sharpen, emboss" --kernel blur
refused 2 "kernel ''.*expected" --kernel ''
refused 2 'Is a directory.*expected' --kernel "$TMP"
refused 2 'no text of at most 64 KiB; expected' --kernel /dev/zero
long=éééééééééééééééééééé   # 40 bytes; a letter is not cut in two
bad_kernel "${long}x $coefficients" "'$long' is no whole number"
bad_kernel "x${long}x $coefficients" "'x${long%é}' is no whole number"
bad_kernel '' ': 0 numbers; expected'
bad_kernel "$coefficients" ': 25 numbers; expected'
bad_kernel "$coefficients 1 1" 'more than 26 numbers'
bad_kernel "1.5 $coefficients" "'1.5' is no whole number"
bad_kernel "x $coefficients" "'x' is no whole number"
bad_kernel "99999999999 $coefficients" "'99999999999' is too large"
bad_kernel "9999999 $coefficients" 'sums may reach'
for scale in nan inf 1/0 1/ / 1/x 0x; do bad_kernel "$coefficients $scale" "scale '$scale' is no finite number"; done
bad_kernel "$coefficients 1e9" 'times the scale may reach'

refused 2 "pitch '0'" --pitch 0
refused 2 "pitch '-8'" --pitch -8
refused 2 "pitch 'wide'" --pitch wide
refused 2 "pitch '99999999999999999999'" --pitch 99999999999999999999
refused 2 'the default size 512x512: the width' --pitch 100
refused 2 "size '64x128'.*the width must be at most the pitch" --size 64x128 --pitch 100
refused 2 'below 2\^31' --size 512 --pitch 99999999
ok '--pitch 70 passes its check' ./stage1 --size 50x70 --pitch 70 --check
ok '--pitch with --bench' ./stage1 --size 50x70 --pitch 71 --bench --tsv "$TMP/variants.tsv"
ok 'the same size without these options' ./stage1 --size 50x70 --bench --tsv "$TMP/variants.tsv"
is "$(cells "$TMP/variants.tsv" variant | tr '\n' ,)" 'pitch=71,,' \
    'rows with different options have different variants'
is "$(grep -c '	50x70	' results/cpu/rows.tsv)" 2 'rows with different variants do not replace each other in results/'
is "$(cmp "$made" "$TMP/before" 2>&1)" '' 'refused runs do not change an existing picture'
is "$(ls "$TMP" | grep -c 'out.pgm')" 1 'refused runs leave no other files'
done_testing
