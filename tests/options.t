#!/usr/bin/env bash
# What a program does with a bad command line: one line on stderr that names the option and what is expected, and the exit status of --help.
. "$(dirname "$0")/lib.sh"

fresh_tree 01_transpose/shared 04_convolution/shared
cd "$TREE/01_transpose" || exit 1
ok 'build' make -s DEVICE=cpu stage3

program=./stage3
# refused STATUS TEXT option...
refused()
{
    local want=$1 text=$2
    shift 2
    fails "$want" "$*" "$program" "$@"
    is "$(grep -c '' <<<"$err")" 1 "$*: one line on stderr"
    like "$err" "$text" "$*: it says what is wrong"
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
refused 2 'hot' --hot
refused 2 "rules '7'.*expected one of 1\.0 .* 9\.0" --rules 7
refused 2 "rules ''" --rules ''
for bad in 0 -1 '' 2.5 many 0x10 10001 99999999999999999999; do
    refused 2 "^stage3: --sms '$bad': .*expected a whole number from 1 to 10000" --sms "$bad"
done
refused 2 'only a GPU runs references' --alone
printf 'name\tage\nme\t3\n' >"$TMP/other.tsv"
refused 2 'other.tsv' --bench --tsv "$TMP/other.tsv"
is "$(cat "$TMP/other.tsv")" "$(printf 'name\tage\nme\t3')" 'a table of something else is left alone'

ok '--help' ./stage3 --help
for option in --size --type --check --bench --count --claims --shmoo --hot --rules --sms --alone --reps --seed --device --tsv --help --version; do
    like "$out" "^ .* *$option( |$)" "--help names $option"
done
ok '--version' ./stage3 --version
run bash -c 'ulimit -v 2000000; ./stage3 --bench --size 40000x40000'
# 77 where the harness knows it before it allocates, 3 where the allocation fails.
case $status in 3|77) pass 'a size that does not fit into memory' ;; *) fail 'a size that does not fit into memory' "exit status $status" "$err" ;; esac
is "$(grep -c '' <<<"$err")" 1 'is told in one line'

run ./stage3 --bench --size 256
want=$out
for workers in 99999999 99999999999999999999 -1 many; do
    ok "EMU_THREADS=$workers" env EMU_THREADS=$workers ./stage3 --bench --size 256
    is "$out" "$want" 'counts the same'
done

# --- what it writes

ok '--size 48x80' ./stage3 --bench --size 48x80 --tsv "$TMP/rows.tsv"
ok '--size 32' ./stage3 --bench --size 32 --tsv "$TMP/rows.tsv"
is "$(grep -c '^week	' "$TMP/rows.tsv")" 1 'one header row, however often rows are added'
is "$(awk -F'\t' '/^week/ { for (i = 1; i <= NF; i++) at[$i] = i; next } !/^#/ { print $at["stage"], $at["size"], $at["status"], $at["mode"] }' \
    "$TMP/rows.tsv" | tr '\n' ,)" 'stage3 48x80 ok count,stage3 32x32 ok count,' 'rows by column names'
run ./stage3 --bench --size 32 --tsv -
is "$(head -n 1 <<<"$out")" '# device: CPU device' '--tsv -: the table on stdout'
{ echo notes; ./stage3 --bench --size 32 --tsv -; } >"$TMP/notes"
like "$(cat "$TMP/notes")" '^week	stage	' 'with its header, whatever the file behind stdout holds'
is "$(awk -F'\t' '/^#/ { next } { n[NF]++ } END { for (i in n) k++; print k }' <<<"$out")" 1 'all rows are equally long'
for column in week stage name device type size knobs variant mode status reps median_us p10_us p90_us min_us graph_us bytes flops rate unit kernels kernel grid \
    block regs shared_bytes blocks_per_sm ld_requests ld_sectors st_requests st_sectors ld_bytes st_bytes tex_requests atomic_requests shared_requests \
    shared_wavefronts shared_requests_source shared_wavefronts_source barriers active_lanes peak_gbs l2_bytes seed max_error date; do
    like "$(grep '^week	' <<<"$out" | tr '\t' '\n')" "^$column\$" "column $column"
done
ok '--rules 1.1' ./stage3 --rules 1.1 --size 32
like "$out" 'counts +in warp instructions and transactions' 'says what it counts'
like "$out" 'global loads +32 requests, +64 transactions: 2 per request' 'half-warps, by the rules of that time'
ok '--sms 132' ./stage3 --sms 132 --size 32
like "$out" '^  recorded: .* NVIDIA H200' '--sms: a recorded run has the SMs of its GPU'
like "$out" '^  bound    at least [0-9.]+ us on NVIDIA H200, limited by memory bandwidth; recorded [0-9]+ us; not modeled: latency, ' \
    'the lower bound of the recorded time, what limits it, and what it does not model'
ok '--rules 9.0' ./stage3 --rules 9.0 --bench --size 32
like "$out" '32x32, count  loads 32 x 4 sectors' 'is what is counted without'
ok 'again' ./stage3 --bench --size 32
is "$(cells results/cpu/stage3.tsv size variant mode | grep -c '^32x32  count$')" 1 'a row of the same run replaces the older one in results/'
chmod a-w results/cpu
if [ -w results/cpu ]; then skip 'results that cannot be written' 'root writes everywhere'
else fails 2 'results that cannot be written' ./stage3 --bench --size 32; fi
chmod u+w results/cpu

# --- options that a week has of its own, and the files that they name

cd "$TREE/04_convolution" || exit 1
program=./stage1
ok 'build' make -s DEVICE=cpu stage1
ok '--help' ./stage1 --help
for option in --kernel --pitch --memory-only --image --out; do like "$out" "^ *$option( |$)" "--help names $option"; done

# picture FILE HEIGHT WIDTH [HEADER]: pixels of one grey, 100
picture()
{
    { printf "${4-P5\\n%d %d\\n255\\n}" "$3" "$2"; head -c $(($2 * $3)) /dev/zero | tr '\0' d; } >"$1"
}
in=$TMP/in.pgm made=$TMP/out.pgm
picture "$in" 40 60
ok 'a picture' ./stage1 --image "$in" --out "$made" --kernel box
is "$(head -n 3 "$made" | tr '\n' ' ')" 'P5 60 40 255 ' 'is written as one of the same size'
is "$(tail -n +4 "$made" | tr -d d | wc -c)" 0 'whose box filter is as grey as the picture'
picture "$in" 40 60 'P5 # binary\n# of a test\n%d\t%d # remarks\n255\n'
ok 'with remarks in its header' ./stage1 --image "$in" --bench
rm "$made"
ok 'a result without a picture' ./stage1 --size 33x65 --out "$made" --memory-only
is "$(wc -c <"$made")" $((13 + 33 * 65)) 'is one as well'
ls -l "$made" | grep -q '^-rw-r--r--' && pass 'that others can read' || fail 'that others can read' "$(ls -l "$made")"
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
# kernel TEXT: a file of it
kernel() { printf "$1" >"$TMP/kernel"; }
kernel "$coefficients 1/300"
ok 'a kernel from a file' ./stage1 --kernel "$TMP/kernel" --bench
like "$out" ' kernel=' 'is named'
kernel "# the scale comes last\n1 1 1 1 1\n1 1 1 1 1\r\n1 1 1 1 1 # middle\n1 1 1 1 1\n1 1 1 1 1\n\n0.04"
ok 'with remarks, over several lines' ./stage1 --kernel "$TMP/kernel" --bench
ok 'one with a name' ./stage1 --kernel emboss --check
refused 2 "kernel 'blur': No such file.*expected test, box, gaussian, sharpen, emboss" --kernel blur
refused 2 "kernel ''.*expected" --kernel ''
refused 2 'Is a directory.*expected' --kernel "$TMP"
refused 2 'no text of at most 64 KiB; expected' --kernel /dev/zero
kernel "ééééééééééééééééééééx $coefficients"; refused 2 "'éééééééééééééééééééé' is no whole number" --kernel "$TMP/kernel"
kernel "xééééééééééééééééééééx $coefficients"; refused 2 "'xééééééééééééééééééé' is no whole number" --kernel "$TMP/kernel"
kernel ''; refused 2 ': 0 numbers; expected' --kernel "$TMP/kernel"
kernel "$coefficients"; refused 2 ': 25 numbers; expected' --kernel "$TMP/kernel"
kernel "$coefficients 1 1"; refused 2 'more than 26 numbers' --kernel "$TMP/kernel"
kernel "1.5 $coefficients"; refused 2 "'1.5' is no whole number" --kernel "$TMP/kernel"
kernel "x $coefficients"; refused 2 "'x' is no whole number" --kernel "$TMP/kernel"
kernel "99999999999 $coefficients"; refused 2 "'99999999999' is too large" --kernel "$TMP/kernel"
kernel "9999999 $coefficients"; refused 2 'sums may reach' --kernel "$TMP/kernel"
for scale in nan inf 1/0 1/ / 1/x 0x; do kernel "$coefficients $scale"; refused 2 "scale '$scale' is no finite number" --kernel "$TMP/kernel"; done
kernel "$coefficients 1e9"; refused 2 'times the scale may reach' --kernel "$TMP/kernel"

refused 2 "pitch '0'" --pitch 0
refused 2 "pitch '-8'" --pitch -8
refused 2 "pitch 'wide'" --pitch wide
refused 2 "pitch '99999999999999999999'" --pitch 99999999999999999999
refused 2 'the default size 512x512: the width' --pitch 100
refused 2 "size '64x128'.*the width must be at most the pitch" --size 64x128 --pitch 100
refused 2 'below 2\^31' --size 512 --pitch 99999999
ok '--pitch 70' ./stage1 --size 50x70 --pitch 70 --check
ok '--pitch, --memory-only' ./stage1 --size 50x70 --pitch 71 --memory-only --bench --tsv "$TMP/variants.tsv"
ok 'and neither' ./stage1 --size 50x70 --bench --tsv "$TMP/variants.tsv"
is "$(awk -F'\t' '/^week/ { for (i = 1; i <= NF; i++) at[$i] = i; next } !/^#/ { print $at["variant"] }' "$TMP/variants.tsv" | tr '\n' ,)" \
    'pitch=71 memory-only,,' 'rows tell them apart'
is "$(grep -c '	50x70	' results/cpu/stage1.tsv)" 2 'and neither replaces the other in results/'
cmp -s "$made" "$TMP/before" && pass 'what was refused wrote nothing' || fail 'what was refused wrote nothing'
is "$(ls "$TMP" | grep -c 'out.pgm')" 1 'and left nothing behind'
done_testing
