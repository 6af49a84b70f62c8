#!/usr/bin/env bash
# The figures: what `ladder figure` selects and computes, from test vectors in tests/data and from the recorded runs;
# that gnuplot draws them without messages in all formats; that texts are large enough and do not overlap; and refusals.
. "$(dirname "$0")/lib.sh"
use_ladder
data=$ROOT/tests/data
# Two roots: one with the weeks of the checkout, and one without stages, where none are added to a test vector.
for root in full bare; do
    mkdir -p "$TMP/$root/build" "$TMP/$root/common"
    cp "$LADDER" "$TMP/$root/build/ladder"
    ln -s "$ROOT/plots" "$TMP/$root/plots"
    ln -s "$ROOT/common/figures" "$TMP/$root/common"
done
for week in $(ladders "$ROOT/"); do
    ln -s "$week" "$TMP/full/${week##*/}"
    mkdir "$TMP/bare/${week##*/}"
    grep -v '^ *title' "$week/figures" >"$TMP/bare/${week##*/}/figures"
done
cd "$TMP" || exit
L=$TMP/bare/build/ladder
unset LADDER_FROM LADDER_BESIDE

# data STREAM: what precedes the scripts
data_of() { printf '%s\n' "${1%%$'\n# What all figures share'*}"; }
# block NAME: the lines of a data block of $stream
block() { data_of "$stream" | sed -n "/^\$$1 <</,/^EOD/p" | sed '1,2d;$d'; }
# texts STREAM: its texts, one per line: fields of data blocks, title, subtitle, provenance, titles of axes.
texts()
{
    data_of "$1" | awk -F '"' -v q="'" '
        { for (i = 2; i < NF; i += 2) print $i }
        $0 ~ "^[A-Za-z_]* = " q ".*" q "$" { sub("^[^=]* = " q, ""); sub(q "$", ""); gsub(q q, q); print }'
}
# figure NAME [option...] [TABLE]: sets $stream and $texts; expects status 0 and nothing on stderr
figure()
{
    run "$L" figure "$@"
    stream=$out
    [ "$status" = 0 ] && [ -z "$err" ] || fail "figure $*" "exit status $status" "$err"
    texts=$(texts "$stream")
}
# shows NAME TEXT...: each text is one of the figure's; shows_no: no text of the figure contains one of these
shows()
{
    local t

    for t in "${@:2}"; do
        [[ $'\n'$texts$'\n' == *$'\n'"$t"$'\n'* ]] || { fail "$1" "no '$t' among:" "$texts"; return; }
    done
    pass "$1"
}
shows_no()
{
    local t

    for t in "${@:2}"; do [[ $texts != *"$t"* ]] || { fail "$1" "there is '$t' among:" "$texts"; return; }; done
    pass "$1"
}
# values NAME BLOCK COLUMN WANT: the numbers in a column of a data block
values() { is "$(block "$2" | sed 's/"[^"]*" //' | awk -v c="$3" '{ printf "%s ", $c }')" "$4 " "$1"; }
# bar LABEL: the value and the color of its bar
bar() { block bars1 | sed -n "s/^$(block rows1 | sed -n "s/^\"$1\" \([0-9.]*\) .*/\1/p") //p" | head -n 1; }
color() { bar "$1" | cut -d' ' -f2; }
# stage_colors: the number and the color of each stage that has a bar
stage_colors()
{
    awk -F '"' 'NR == FNR { split($0, word, " "); if (!(word[1] in color)) color[word[1]] = word[3]; next }
        $2 ~ /^[0-9]+ [a-z0-9_]*$/ { split($2 $3, word, " "); if (word[3] in color) print word[1], color[word[3]] }' \
        <(block bars1) <(block rows1)
}
# gives_up STATUS WORDS NAME [option...] [TABLE]: the figure is not drawn, for this reason
gives_up()
{
    local name="$3 is refused in one line: $2"

    run "$L" figure "${@:3}"
    if [[ $status = "$1" && $err == *"$2"* && $err != *$'\n'* && -z $out ]]; then pass "$name"
    else fail "$name" "exit status $status" "$err" "$out"; fi
}
# without COLUMN TABLE: the table without a column
without()
{
    local column

    column=$(grep -m 1 '^week' "$2" | tr '\t' '\n' | grep -n -x "$1" | cut -d : -f 1)
    grep '^#' "$2"
    grep -v '^#' "$2" | cut --complement -f "$column"
}
# draws FORMAT NAME: gnuplot draws the stream without messages
draws()
{
    sed "s/^FORMAT = .*/FORMAT = '$1'/" <<<"$stream" >figure.gp
    LC_ALL=C.UTF-8 gnuplot figure.gp >"figure.$1" 2>gnuplot.log
    local rc=$? head
    read -r -N 4 head <"figure.$1"
    case $1 in
    svg) [[ $head == '<?xm' && $(tail -n 2 figure.svg) == *'</svg>'* ]] ;;
    png) [ "$head" = $'\x89PNG' ] ;;
    pdf) [ "$head" = %PDF ] ;;
    esac && [ $rc = 0 ] && [ ! -s gnuplot.log ] && pass "$2" || fail "$2" "exit status $rc" "$(cat gnuplot.log)"
}
draws_all()
{
    have gnuplot || { skip "$1 is drawn" 'gnuplot is not installed (apt-get install gnuplot-nox)'; return; }
    for format in $(is_full && echo svg) png pdf; do draws $format "$1 is drawn as $format"; done
    boxes "$1"
}

# --- the list, and every figure of a test vector in every format

run "$L" figure
names=$(awk '{ print $1 }' <<<"$out" | tr '\n' ' ')
is "$names" "ladder then_and_now shmoo time_per_element knobs counts activity count_shmoo bound column \
ladders rooflines gains rates_then_and_now summation_error sectors roofline bf16_roofline bf16 access access_bytes \
sawtooth choice accuracy generations sensitivity instructions occupancy " 'ladder figure lists all figures'
is "$(awk 'NF < 6 || !/\.$/' <<<"$out")" '' 'the list has one sentence on how to read each figure'
for name in $names; do
    case $name in ladders|rooflines|gains|rates_then_and_now) continue ;; esac   # they compare weeks, see below
    in=$data/$name.tsv options=
    [ $name != access_bytes ] || { in=bytes.tsv; sed -e 's/\tcold\t/\tcount\t/' "$data/access.tsv" >$in; }
    case $name in
    column) in=$data/ladder.tsv options='--column bytes' ;;
    shmoo | time_per_element) in=$data/sweep.tsv ;;
    then_and_now) in=$data/ladder.tsv ;;
    esac
    figure $name $options "$in"
    draws_all "$name"
done

# --- texts and values

figure ladder "$data/ladder.tsv"
shows 'the ladder shows stages with their rates and shares' '0 copy' '800 GB/s  80 %' '1 naive' '100 GB/s  10 %' \
    '2 coalesced' '10 late'
shows 'references and the peak bandwidth have bars' '1.00 TB/s  100 %' '914 GB/s  91 %' memcpy cublas 'peak bandwidth' \
    '1.23 TB/s'
shows 'the provenance has device, CUDA, date, size, type and mode' \
    'TEST VECTOR | CUDA 99.9 | 2000-01-01 | 2048x2048 | float | cold'
shows 'a wrong stage and one without a rate keep their places and are labeled' wrong 'not measured'
shows_no 'rates of wrong rows, of builds with knobs and of other sizes are not shown' 7.65 6.54 9.88 500
is "$(block rows1 | grep -o -E '^"(2|10) [a-z]*' | tr '\n' ,)" '"2 coalesced,"10 late,' 'stage 10 comes after stage 2'
like "$(block spread1)" '^0 727.273 820.513$' 'the 10th and 90th percentile of the time become those of the rate'
figure ladder --size 1024x1024 "$data/ladder.tsv"
shows 'a later row replaces an earlier one' '110 GB/s  12 %'
shows_no 'the earlier row is not shown' 8.77
figure ladder --mode hot "$data/ladder.tsv"
shows 'hot rates are labeled' 'TEST VECTOR | CUDA 99.9 | 2000-01-01 | 2048x2048 | float | hot' '3.00 TB/s' '1.50 TB/s'
shows_no 'hot rates are not compared with the peak bandwidth' peak
figure ladder --base stage0 "$data/ladder.tsv"
shows '--base accepts any stage' '800 GB/s  100 %' '100 GB/s  12 %'
figure ladder --knobs TILE=16 "$data/ladder.tsv"
shows '--knobs shows a build with knobs' '6.54 TB/s  654 %'
# Each stage with its own references: 90 of 100 is 90 %, whatever the next run has; stage3, timed alone, is compared
# with their median.
{
    printf 'week\tstage\tname\tsize\tmode\tstatus\tmedian_us\trate\tunit\n'
    printf 'w\t%s\t%s\t64x64\tcold\tok\t%s\t%s\tGB/s\n' stage1 x 5 90 ref_memcpy memcpy 5 100 ref_other other 5 500 \
        stage2 y 5 60 ref_memcpy memcpy 5 50 ref_other other 5 400 stage4 w 5 70 ref_memcpy memcpy 5 70 stage3 z 5 21
} >runs.tsv
figure ladder runs.tsv
shows 'shares are of the same run, and references are medians' '90.0 GB/s  90 %' '60.0 GB/s  120 %' '70.0 GB/s  100 %' \
    '21.0 GB/s  30 %' '450 GB/s  650 %' \
    'w: rate of each stage' 'share of memcpy in the same run'
figure ladder --base stage2 runs.tsv
shows 'shares of a stage are of its rate' '90.0 GB/s  150 %' 'share of 2 y'
figure column --column median_us "$data/ladder.tsv"
shows 'column shows any column, with its name and meaning' 'transpose: median_us' \
    'median time of a call, microseconds' 40 300
edited variant 'print; if ($at["rate"] != "") $at["rate"] = 54321; $at["variant"] = "memory-only"' \
    "$data/ladder.tsv" >variants.tsv
figure ladder variants.tsv
shows_no 'rows with options of the week are not in the ladder' 54.3

# --- curves

figure shmoo "$data/sweep.tsv"
shows 'the shmoo labels its curves, its axes and the L2 cache' '0 copy' '1 naive' '10 late' memcpy 'L2 cache' \
    'side n (n x n)' TB/s
grep -e '^#' -e '^week' "$data/sweep.tsv" >by_size.tsv
grep -v -e '^#' -e '^week' "$data/sweep.tsv" | sort -s -t "$(printf '\t')" -k6,6 -k1,2 >>by_size.tsv
before=$(sed 1d <<<"$stream")
figure shmoo by_size.tsv
is "$(sed 1d <<<"$stream")" "$before" 'the order of rows does not change the curves'
figure time_per_element "$data/sweep.tsv"
shows 'time_per_element shows its curves and units' '0 copy' '10 late' memcpy 'time per element' s
grep -v -e '512x512' "$data/sweep.tsv" >four.tsv
gives_up 77 'only 4 sizes: this figure needs at least 5' shmoo four.tsv
gives_up 77 'only 4 sizes: this figure needs at least 5' time_per_element four.tsv
figure count_shmoo "$data/count_shmoo.tsv"
shows 'count_shmoo shows counts of the CPU device against size' 'sectors per element' '0 copy' '1 naive'
figure sawtooth "$data/sawtooth.tsv"
shows 'sawtooth shows stages and references' '11 tuned' cublas 'side n (n x n x n)'
like "$(data_of "$stream")" '^log_x = 0$' 'sawtooth has a linear axis'
L=$TMP/full/build/ladder
figure sawtooth --recorded --week 03_matmul
shows 'a figure with one gray curve names it' '21 register_banks' '23 stream_k'
shows_no 'a figure whose gray curves have names does not explain gray' 'gray: other stages'
figure shmoo --recorded --week 03_matmul
like "$texts" 'gray: other stages' 'a figure with many gray curves explains gray'
shows_no 'a figure with many gray curves does not name them' '21 register_banks'
L=$TMP/bare/build/ladder
figure accuracy "$data/accuracy.tsv"
shows 'accuracy shows stages and references against K' '1 simple' '12 tensor' cublas \
    'K, the number of products in a sum' '2^-24' 'max |error| / (K / 4)'
edited arithmetic 'if (/_tf32/) $at["arithmetic"] = "tf32"' "$data/accuracy.tsv" >arithmetic.tsv
figure accuracy arithmetic.tsv
shows 'accuracy shows references with another precision' cublas cublas_tf32
figure summation_error "$data/summation_error.tsv"
shows 'summation_error shows stages, sums on the host, and theory' '0 modulo' '12 launch_config' naive kahan \
    'sqrt(log2 n)' 'sqrt(n / 2)' elements 'TEST VECTOR | 2000-01-01 | float | check'
shows_no 'summation_error has no curve for a stage without floats, or for sums of doubles' packed_atomic 5555
awk -F '\t' -v OFS='\t' '$11 == 2 { next } $11 == 1 { $12 *= 2 } { print }' "$data/summation_error.tsv" >doubled.tsv
awk -F '\t' -v OFS='\t' '$11 == 1 { $12 *= 4 } $11 == 2 { $12 = 0 } { print }' "$data/summation_error.tsv" >uneven.tsv
rounded()
{
    for name in stage12 ref_naive; do
        block $name | awk -v name=$name '{ printf "%g %.3g %s\n", $1, $2, name }'
    done
}
figure summation_error doubled.tsv
before=$(rounded)
figure summation_error uneven.tsv
like "$before" '[0-9] (ref_naive|stage12)' 'summation_error has curves'
is "$(rounded)" "$before" 'a curve is the mean over the seeds'
figure access "$data/access.tsv"
shows 'access shows used and moved bytes, and those that ncu counted' used 'moved, in sectors' 'moved by DRAM' \
    'one sector per word'
without dram_bytes "$data/access.tsv" >less.tsv
figure access less.tsv
shows_no 'access without counts of DRAM has no curve for DRAM' 'moved by DRAM'
sed -e 's/\tcold\t/\tcount\t/' "$data/access.tsv" >counted.tsv
figure access_bytes counted.tsv
shows 'access_bytes on the CPU device shows bytes' 'matmul: bytes moved per word of 4 bytes, by strided loads' \
    'moved, in sectors'
shows_no 'it shows no rate' B/s
gives_up 77 'no two rows' access counted.tsv
for c in bytes l2_bytes; do
    without $c "$data/sweep.tsv" >less.tsv
    figure shmoo less.tsv
    like "$(data_of "$stream")" '^mark = NaN$' "the L2 cache is not marked without $c"
done

# --- lower bounds

figure bound "$data/bound.tsv"
shows 'bound shows the share of the time, and the limit' '75 % of 20.0 µs: loads' '80 % of 10.0 µs: wavefronts' \
    '50 % of 4.00 µs: arithmetic' '80 % of 50.0 µs: stores' wrong \
    'matmul: lower bound of the time, as a share of the time'
values 'the dark part of a bar is the bound' dark1 2 '0.75 0.8 0.5 0.8'

# --- then and now

figure then_and_now "$data/ladder.tsv"
shows 'then_and_now shows the published table and its source' '60.9 GB/s  100 %' '22.4 GB/s  37 %' '24.1 GB/s  40 %' \
    '46.6 GB/s  77 %' 'then: Tesla S2050' \
    'share of 0 copy; then: Tesla S2050, 2048x2048, CINECA PATC slides, 2018'
shows 'then_and_now shows rates now as shares of the copy of the same run' '800 GB/s  100 %' '100 GB/s  12 %' \
    'now: TEST VECTOR' wrong 'not measured'
like "$(data_of "$stream")" "^xmaxs = '60.9 800'" 'one column per device, each with its own scale'
sed 's/01_transpose/02_reduction/; s/2048x2048/16777216/; s/1024x1024/1024/' "$data/ladder.tsv" >sums.tsv
figure then_and_now sums.tsv
shows 'rates far above the base are shown as multiples' '88.1 GB/s  12.6x' '59.8 GB/s  8.5x' '9.70 GB/s  1.4x' \
    'now: TEST VECTOR' 'reduction: then and now' \
    'multiples of 0 copy; then: GPU of the slides, 16777216, Stanford CME213 slides, 2017'
figure sensitivity "$data/sensitivity.tsv"
shows 'sensitivity shows settings now and then' '22 BLOCK_Y=8' '3 BLOCK_X=19 BLOCK_Y=13' '3 pitch=2052' '3 pitch=2064' \
    '3 pitch=unaligned' 1.10 1.15 1.05 1.01 0.97 1.50 1.26 'not published'
shows_no 'sensitivity skips other options, and settings without a default time' 6.25 BLOCK_Y=4

# --- counts

figure counts "$data/counts.tsv"
shows 'counts shows sectors and wavefronts per request, and moved bytes' '0 copy' loads stores shared 'moved / needed' \
    4 29 13.5 1x 4.12x skip
is "$(grep -c -x 0 <<<"$texts")$(grep -c -i nan <<<"$texts")" 00 'a missing count is not drawn as a number'
figure activity "$data/activity.tsv"
shows 'activity shows lanes and barriers of each stage' 8 16.5 27.2 328k 164k 128 skip \
    'reduction: lanes per request, wavefronts per shared request, barriers'
figure sectors "$data/sectors.tsv"
shows 'sectors shows the stages, and lines for tiles as in the slides' 62.5 7.81 3.91 0.977 skip 'T = 1' 16 128 \
    'matmul: 32-byte sectors loaded per 1000 flops'
edited 'kernels l2_read_bytes' '
    $at["kernels"] = 1 + ($at["stage"] == "stage3")
    if ($at["stage"] == "stage1") $at["l2_read_bytes"] = 32 * 3 * $at["ld_sectors"]
    if ($at["stage"] == "stage2") $at["l2_read_bytes"] = 32' "$data/sectors.tsv" >tma.tsv
figure sectors tma.tsv
shows 'sectors includes copies by the TMA, from the bytes read from L2' 188 7.81
is "$(grep -c -x 3.91 <<<"$texts")" 1 'sectors does not show the loads of a helper kernel alone'
shows 'a stage with several kernels and no bytes from L2 is labeled' 'not measured'
figure generations "$data/generations.tsv"
shows 'generations shows the rules and the stages' 1.1 1.3 9.0 '1 naive' '2 texture' error 'not measured'
figure knobs "$data/knobs.tsv"
shows 'knobs shows a map of settings, rates and failures' TILE ROWS 16 32 128 '101 GB/s' '203 GB/s' '305 GB/s' wrong \
    error skip 'transpose: rate of 4 thread_coarsening by TILE and ROWS'
shows_no 'a wrong cell has no rate' 7.78
is "$(grep -x -e 16 -e 32 -e 128 <<<"$texts" | tr '\n' ' ')" '16 32 128 ' 'settings are in ascending order'
grep -v stage4 "$data/knobs.tsv" >one.tsv
figure knobs one.tsv
shows 'knobs with one knob shows a row' 8 16 '42.0 GB/s' '43.0 GB/s' 'transpose: rate of 6 float4 by TILE'
sed -e 's/\tcold\t/\tcount\t/' -e 's/\trate\t/\tshared_wavefronts\t/' "$data/knobs.tsv" >counted.tsv
figure knobs counted.tsv
shows 'knobs on the CPU device shows a count' 'transpose: shared_wavefronts of 4 thread_coarsening by TILE and ROWS' 101

# --- points

figure roofline "$data/roofline.tsv"
shows 'roofline shows the measured roofs' 'fp32 FMA peak 65.0 TFLOP/s' 'DRAM 3.80 TB/s' 'L2 7.00 TB/s'
shows 'roofline shows every stage and reference' 'stage1 flops per byte' '11 tuned' '12 tensor' cublas
like "$texts" 'bytes of DRAM \(filled\), of L2 \(hollow\)' 'roofline explains its points'
shows_no 'roofline without a measured tensor-core peak has no such roof' tensor-core
edited arithmetic 'if ($at["name"] == "fma") {
    print
    $at["stage"] = "demo_tensor_roof"; $at["name"] = "mma"; $at["rate"] = 400000; $at["arithmetic"] = "tf32"
}' "$data/roofline.tsv" >tensor.tsv
figure roofline tensor.tsv
shows 'roofline shows a measured tensor-core peak' 'TF32 tensor-core peak 400 TFLOP/s' 'fp32 FMA peak 65.0 TFLOP/s'
grep -v '	count	' "$data/roofline.tsv" >uncounted.tsv
figure roofline uncounted.tsv
like "$(block points)" 'stage1 that the problem needs' 'roofline without counts uses the bytes of the problem'
grep -v '	l2	' "$data/roofline.tsv" >memory.tsv
figure roofline memory.tsv
shows_no 'roofline without a measured L2 bandwidth has no such roof' 'L2 7'
figure instructions "$data/instructions.tsv"
shows 'instructions shows stages, the copy and the issue rate' '1 naive' '4 shared' '12 strips' memcpy \
    'as fast as instructions are issued' 'instructions per thread and element'
shows_no 'instructions skips stages without counts' float dp2a
for c in issue_per_cycle cycles_per_second; do
    without $c "$data/instructions.tsv" >less.tsv
    figure instructions less.tsv
    shows_no "instructions has no issue rate without $c" 'as fast as'
done
figure occupancy "$data/occupancy.tsv"
shows 'occupancy shows the warps of each stage, and what limits them' '1 naive' all
like "$(block rows1)" '"[0-9]*  (warps|registers|shared|blocks)' 'a text names the limit'

# --- tables without optional columns and notes

grep -v '^#' "$data/ladder.tsv" >plain.tsv
figure ladder plain.tsv
shows 'without # lines, the provenance is from the columns' 'TEST VECTOR | 2000-01-01 | 2048x2048 | float | cold'
awk -F '\t' -v OFS='\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
    $at["stage"] == "stage1" { $at["date"] = "1999-12-31" } { print }' plain.tsv >days.tsv
figure ladder days.tsv
shows 'the provenance has the first and the last day of the rows' \
    'TEST VECTOR | 1999-12-31 to 2000-01-01 | 2048x2048 | float | cold'
for c in device name type knobs unit date p10_us p90_us median_us peak_gbs; do
    without $c "$data/ladder.tsv" >less.tsv
    figure ladder less.tsv
    ! have gnuplot || draws svg "the ladder is drawn without $c"
done
grep -v ref_ "$data/ladder.tsv" >alone.tsv
figure ladder alone.tsv
shows 'the ladder without references shows rates' '800 GB/s'
shows_no 'the ladder without references shows no shares' %
mkdir -p "it's a folder" && cp "$data/ladder.tsv" "it's a folder/my table.tsv"
figure ladder "it's a folder/my table.tsv"

# --- refusals

: >empty.tsv
grep -e '^#' -e '^week' "$data/ladder.tsv" >header.tsv
gives_up 2 'no such figure; there are: ladder' none
gives_up 2 'which week?' ladder
gives_up 2 'absent.tsv: No such file' ladder absent.tsv
gives_up 2 'empty.tsv: not a result table' shmoo empty.tsv
gives_up 2 'the formats are svg, png and pdf' ladder --format jpg "$data/ladder.tsv"
gives_up 2 '--color: unknown option' ladder "$data/ladder.tsv" --color red
gives_up 2 '--size 0x10: not a size' ladder --size 0x10 "$data/ladder.tsv"
gives_up 2 '--column none: no such column' column --column none "$data/ladder.tsv"
gives_up 2 'needs --column' column "$data/ladder.tsv"
for c in stage mode status; do
    without $c "$data/ladder.tsv" >less.tsv
    gives_up 2 "less.tsv: has no column '$c'" ladder less.tsv
done
without rate "$data/ladder.tsv" >less.tsv
gives_up 77 "has no column 'rate'" ladder less.tsv
for name in ladder knobs counts activity summation_error roofline sawtooth accuracy sectors instructions \
    sensitivity generations; do
    grep -e '^#' -e '^week' "$data/$name.tsv" >none.tsv
    gives_up 77 'none.tsv: has a header and no rows' $name none.tsv
done
gives_up 77 'header.tsv: has a header and no rows' shmoo header.tsv
grep -v demo_roofs "$data/roofline.tsv" >roofless.tsv
gives_up 77 'no row has demo_roofs[fma].rate' roofline roofless.tsv
grep -v '	count	' "$data/instructions.tsv" >uncounted.tsv
gives_up 77 'no stage has a rate and instructions per thread and element' instructions uncounted.tsv
grep -v -e rules= "$data/generations.tsv" >today.tsv
gives_up 77 'no row with the option --rules is ok' generations today.tsv
grep -v point "$data/occupancy.tsv" >curves.tsv
gives_up 77 'no row of mode occupancy' occupancy curves.tsv
gives_up 77 'no row of mode count' sectors "$data/sawtooth.tsv"
grep -v 'demo_access	stride' "$data/access.tsv" >unstrided.tsv
gives_up 77 'no two rows' access unstrided.tsv
sed 's/\tok\t/\twrong\t/' "$data/ladder.tsv" >wrong.tsv
for name in ladder shmoo time_per_element then_and_now; do gives_up 77 'wrong.tsv: no row' $name wrong.tsv; done
gives_up 77 'size 8x8' ladder --size 8x8 "$data/ladder.tsv"
gives_up 77 'type double' ladder --type double "$data/ladder.tsv"
gives_up 77 'no row of ref_none' ladder --base ref_none "$data/ladder.tsv"
gives_up 77 'only 1 size' shmoo --mode hot "$data/ladder.tsv"
sed 's/\tcount\t/\tcold\t/' "$data/counts.tsv" >timed.tsv
gives_up 77 'timed.tsv: no row of mode count' counts timed.tsv
grep -v stage0 "$data/ladder.tsv" >headless.tsv
gives_up 77 'headless.tsv: no row of stage0' then_and_now headless.tsv
sed 's/01_transpose/09_other/' "$data/ladder.tsv" >other.tsv
gives_up 77 'for 09_other' then_and_now other.tsv
grep -v TILE "$data/ladder.tsv" >plain.tsv
gives_up 77 'no stage is ok and has rate' knobs plain.tsv

# --- recorded runs in the weeks: messages, places, colors

L=$TMP/full/build/ladder
for week in $(ladders "$ROOT/"); do
    week=${week##*/}
    declare -A of=()
    core=$(grep '^core:' "$ROOT/$week/messages")
    for name in $(cd "$ROOT/$week" && "$L" figure --names | cut -d " " -f 1); do
        run "$L" figure $name --week $week --recorded --format pdf
        [ "$status" != 77 ] || continue
        stream=$out texts=$(texts "$out")
        is "$status$err" 0 "$week: $name has a recorded run"
        if have gnuplot; then draws pdf "$week: $name is drawn"; boxes "$week $name"; fi
        while read -r stage tint; do
            [ -n "$stage" ] || continue
            [ "${of[$stage]-$tint}" = "$tint" ] ||
                fail "$week: stage $stage has one color" "$name: $tint, else ${of[$stage]}"
            of[$stage]=$tint
        done <<<"$(case $name in ladder|counts|activity|sectors|column) stage_colors ;; esac)"
        case $name in ladder|counts|activity|sectors|bound)
            files=("$ROOT/$week"/stage[0-9]*_*.cu)
            for file in "${files[@]}"; do
                stage=${file##*/stage} stage=${stage%.cu}
                [ ${#files[@]} -le 15 ] || [[ "$core " == *" stage${stage%%_*} "* ]] || continue
                ! grep -q "^// Type:" "$file" || continue   # of another element type: in figures of its own
                [[ $'\n'$texts$'\n' == *$'\n'"${stage/_/ }"$'\n'* ]] ||
                    fail "$week: $name has a place for $stage" "$texts"
            done ;;
        esac
    done
    is "$(printf '%s\n' "${of[@]}" | grep -v "^$((0x8A8A8A))\$" | sort -u | awk 'END { print NR <= 6 }')" 1 \
        "$week: at most six stages have a color"
done
grep -v "	stage15	" "$ROOT/plots/data/h200/04_convolution.counts.tsv" >gap.tsv
figure counts gap.tsv
shows 'a stage that was not counted keeps its place' '15 async_copy' 'not measured'
figure ladder --week 03_matmul --from h200
is "$(awk -v a="$(bar '23 stream_k')" -v b="$(bar '32 tf32x3')" 'BEGIN { print (b + 0 > 2 * (a + 0)) }')" 1 \
    'a stage of another precision has the same scale'
unlike "$(block rows1)" '"32 tf32x3.*%' 'and no share of a reference of fp32'
like "$texts" 'cublas_tf32: [0-9.]* TFLOP/s' 'the rate of a reference of another precision is in the subtitle'
figure bf16 --week 03_matmul --from h200
like "$texts" '29 dispatch' 'the bf16 stages are in a figure of their own'
unlike "$texts" '33 unaligned' 'without a row, a stage that messages put aside has no place'
like "$(cat "$ROOT/03_matmul/runs")" '^shmoo .*stage23 --shmoo --reps' 'stage 23 is swept with references'
unlike "$(cat "$ROOT/03_matmul/runs")" '^shmoo .*stage32 --shmoo --reps' 'stage 32 is swept without references'

# --- a week of this test: sources, messages, a second device

mkdir -p full2/{build,common} full2/plots/data/{h200,other,cpu} full2/01_transpose/results/{NVIDIA_X,cpu}
cp "$LADDER" full2/build/ladder
cp "$ROOT"/plots/*.gp full2/plots
cp "$ROOT/common/figures" full2/common
L=$TMP/full2/build/ladder
touch full2/01_transpose/stage{0_copy,1_naive,2_coalesced,10_late}.cu full2/01_transpose/ref_memcpy.cu
cp "$data/ladder.tsv" full2/plots/data/h200/01_transpose.ladder.tsv
sed 's/TEST VECTOR/OTHER/; s/\t800\t/\t888\t/' "$data/ladder.tsv" >full2/plots/data/other/01_transpose.ladder.tsv
echo 'highlight: stage0 stage1' >full2/01_transpose/messages
printf '%s\n' 'figure ladder' '  title stage1.rate > stage0.rate: NAIVE IS FASTER' \
    '  title stage0.rate == 8 * stage1.rate: A COPY IS FASTER' >full2/01_transpose/figures
figure ladder --week 01_transpose
shows 'a message whose condition holds is the title' 'A COPY IS FASTER' 'transpose: rate of each stage; share of memcpy'
shows_no 'a message whose condition does not hold is not the title' 'NAIVE IS'
like "$stream" '^# from the recorded run plots/data/h200/01_transpose.ladder.tsv$' \
    'without results, the recorded run is the source'
is "$(color '0 copy') $(color '1 naive') $(color memcpy)" "$((0x0072B2)) $((0xD55E00)) 0" \
    'the stages of the line highlight have colors; references are black'
cp full2/01_transpose/messages kept
sed -i 's/^highlight:.*/& stage99/' full2/01_transpose/messages
refused "01_transpose/messages: highlight: 'stage99': expected a stage" "$L" figure ladder --week 01_transpose
mv kept full2/01_transpose/messages
figure ladder --week 01_transpose --beside other
shows '--beside shows a second device' OTHER '888 GB/s  89 %' 'TEST VECTOR' '800 GB/s  80 %'
like "$stream" '^PROVENANCE = .*TEST VECTOR; beside: OTHER' 'and names both as the source'
run "$LADDER" figure ladder --week 01_transpose --recorded --to stage3
stream=$out texts=$(texts "$out")
shows '--to shows the stages to this one' '2 coalesced' '3 padding' memcpy
shows_no 'and none after it, also in the title' '4 thread' '8 swizzle' 'STAGE 8' 'Stage 8'
refused '--to 3: not a stage; expected a name like stage5' "$LADDER" figure ladder --week 01_transpose --to 3
# --- fonts and the palette

LADDER_FONT='Liberation Sans' LADDER_SCALE=1.2 ok 'a font and a scale' "$LADDER" figure ladder --week 01_transpose \
    --recorded
is "$(grep -e '^FONT = ' -e '^SCALE = ' <<<"$out")" $'FONT = \'Liberation Sans\'\nSCALE = 1.2' 'begin the script'
for bad in "FONT|a'b" 'SCALE|9' 'SCALE|x'; do
    run env "LADDER_${bad%|*}=${bad#*|}" "$LADDER" figure ladder --week 01_transpose --recorded
    is "$status" 2 "$bad is refused"
    like "$err" "${bad%|*}='${bad#*|}': expected" 'with what is accepted'
done
is "$("$LADDER" palette)" "$(grep '^[A-Z]' "$ROOT/plots/palette.gp")" 'the palette has each color once, in its order'
is "$(grep -l -i -E '#[0-9a-f]{6}|0x[0-9a-f]{6}\b' "$ROOT"/plots/*.gp "$ROOT"/plots/drawings/*.gp \
    "$ROOT"/common/tool/{figures,events}/*.c | grep -v -e /palette.gp)" "$ROOT/common/tool/figures/palette.c" \
    'and no other file of figures and drawings has colors'
printf '%s\n' '# ours' 'BLUE = 0x003366' >own.gp
LADDER_PALETTE=$PWD/own.gp ok 'a palette' "$LADDER" figure ladder --week 01_transpose --recorded
is "$(grep -x -e 'BLUE = .*' -e 'GREEN = .*' <<<"$out")" $'BLUE = 0x003366\nGREEN = 0x009E73' \
    'replaces the colors that it names'
like "$out" "^[0-9.]* [0-9.]* $((0x003366)) 0$" 'also those of bars'
for bad in 'RED = 0x003366|expected a color of plots/palette.gp' 'BLUE = "red"|expected a line like' \
    "BLUE = 0x003366; system('x')|expected a line like"; do
    echo "${bad%|*}" >bad.gp
    LADDER_PALETTE=bad.gp fails 2 "${bad%|*} is refused" "$LADDER" palette
    like "$err" "bad.gp:1: .*${bad#*|}" 'with what is accepted'
done
LADDER_PALETTE=none.gp fails 2 'a palette that is not there is refused' "$LADDER" palette

LADDER_BESIDE=other figure ladder --week 01_transpose
shows 'LADDER_BESIDE shows a second device' OTHER
! have gnuplot || draws pdf 'two devices are drawn'
boxes 'two devices'
LADDER_FROM=other figure ladder --week 01_transpose
shows 'LADDER_FROM selects another recorded run' '888 GB/s  89 %' \
    'OTHER | CUDA 99.9 | 2000-01-01 | 2048x2048 | float | cold'
gives_up 2 "BESIDE='none': no recorded run of 01_transpose in plots/data/none; recorded: " ladder --week 01_transpose \
    --beside none
refused '--beside: counts shows one device; expected one of ladder' "$LADDER" figure counts --week 01_transpose \
    --beside other
ok 'a figure of one device ignores LADDER_BESIDE' env LADDER_BESIDE=other "$LADDER" figure counts --week 01_transpose
sed 's/	cold	/	count	/; s/	rate	unit/	shared_wavefronts	unit/' "$data/knobs.tsv" \
    >full2/01_transpose/results/cpu/knobs.tsv
figure knobs --week 01_transpose
like "$stream" '^# from 01_transpose/results/cpu/' 'without a recorded map, the map of the CPU device is drawn'
cp "$data/knobs.tsv" full2/plots/data/h200/01_transpose.knobs.tsv
figure knobs --week 01_transpose
like "$stream" '^# from the recorded run' 'it does not replace the recorded map of a GPU'
cp "$data/knobs.tsv" full2/01_transpose/results/NVIDIA_X
figure knobs --week 01_transpose
like "$stream" '^# from 01_transpose/results/NVIDIA_X/$' 'a map of this GPU does'
rm full2/01_transpose/results/*/knobs.tsv full2/plots/data/h200/01_transpose.knobs.tsv
for stage in stage0 stage1 stage9 ref_memcpy; do
    grep -e '^#' -e '^week' -e "	$stage	" "$data/ladder.tsv" |
        sed 's/TEST VECTOR/MINE/' >full2/01_transpose/results/NVIDIA_X/$stage.tsv
done
figure ladder --week 01_transpose
like "$stream" '^# from 01_transpose/results/NVIDIA_X/$' 'results of this machine come first'
shows 'results of this machine are shown' 'MINE | CUDA 99.9 | 2000-01-01 | 2048x2048 | float | cold' '2 coalesced' \
    'not measured'
figure ladder --week 01_transpose --recorded
like "$stream" '^# from the recorded run' '--recorded selects the recorded run'
grep -e '^#' -e '^week' "$data/ladder.tsv" >full2/01_transpose/results/NVIDIA_X/stage0.tsv
rm full2/01_transpose/results/NVIDIA_X/stage1.tsv
figure ladder --week 01_transpose
like "$stream" '^# from the recorded run' \
    'without the rows of the figure in the results, the recorded run is the source'

# --- the figures that compare weeks, from the recorded runs

weeks=$(ladders)
L=$TMP/full/build/ladder
# recorded_rate WEEK STAGE SIZE: its last rate with default knobs, cold
recorded_rate()
{
    cells "$ROOT/plots/data/h200/$1.ladder.tsv" stage size mode knobs variant rate | sed -n "s/^$2 $3 cold   //p" |
        tail -n 1
}
is "$("$L" figure --names | cut -d' ' -f1 | tr '\n' ' ')" 'ladders rooflines gains rates_then_and_now ' \
    'outside of a week, the figures that compare weeks are listed'
unlike "$(cd "$ROOT/01_transpose" && "$L" figure --names)" '^(ladders|gains) ' 'in a week they are not'
for name in ladders rooflines gains rates_then_and_now; do
    figure $name --recorded
    draws_all "figure $name"
    like "$texts" '^NVIDIA H200 \| CUDA ' "figure $name names the device"
done
figure ladders --recorded --week '01_transpose 03_matmul'
is "$(block rows1 | grep -o 'week [0-9]' | sort -u | tr '\n' ' ')" 'week 1 week 3 ' '--week selects the weeks'
gives_up 2 'expected one week' shmoo --week '01_transpose 03_matmul'
gives_up 2 'which week' ladders --week ' '
gives_up 2 'no table has a name that long' ladder --week "0$(printf 'a%.0s' {1..4200})"
gives_up 2 'expected no table' gains "$data/ladder.tsv"

figure gains --recorded
first=$(recorded_rate 01_transpose stage1 16384x16384) second=$(recorded_rate 01_transpose stage2 16384x16384)
gain=$(awk -v a="$first" -v b="$second" 'BEGIN { printf "%.6g", b / a }')
is "$(bar 'week 1: 2 coalesced' | cut -d' ' -f1)" "$gain" \
    'the gain of a stage is its rate over that of the best stage before in the core ladder'
steps=$(for week in $weeks; do
    read -r first_stage _ _ size < <(sed -n 's/^overview: \(.*\):.*/\1/p' "$ROOT/$week/messages")
    for stage in $(sed -n 's/^core: //p' "$ROOT/$week/messages" | tr ' ' '\n' | sed "0,/^$first_stage\$/d"); do
        recorded_rate "$week" "$stage" "$size"
    done
done | grep -c .)
halves=$(block bars1 | awk '$2 >= 1.5 { n++ } END { print n + 0 }')
most=$(block bars1 | awk '{ printf $2 < 10 ? "%.2f" : "%.1f", $2; exit }')
shows 'its title has the numbers of the bars, and of all measured core stages after the first' \
    "$halves of $steps ideas gain at least 50 %; the largest gain is ${most}x"
is "$(block bars1 | cut -d' ' -f2 | sort -gr)" "$(block bars1 | cut -d' ' -f2)" 'the largest gain is first'
figure rooflines --recorded
# 1 operation per element of 4 bytes, which is read and written: rate / 8
like "$(block points)" "^0\.125 $(awk -v r="$first" 'BEGIN { printf "%.6g", r / 8 }' | cut -c 1-2 |
    sed 's/./&\\./')[0-9.]*e\+10 [0-9]* [0-9]* \"01_transpose stage1\"" \
    'a point is at the operations per byte and per second of the problem'
share=$(awk -v r="$first" 'BEGIN { printf "%.0f", 100 * r / 4814.3 }')
shows 'a label has the share of the roof' "week 1: 1 naive  $share %"
like "$texts" '^First stages: [0-9]+ to [0-9]+ % of their roof; last stages: [0-9]+ to [0-9]+ %$' \
    'its title has the shares of the first and of the last stages'
figure rates_then_and_now --recorded
like "$(block dark1)" ' 88.1 ' 'a hollow point is the rate of the slides'
is "$(bar 'week 1: 3 padding' | cut -d' ' -f1)" \
    "$(recorded_rate 01_transpose stage3 2048x2048 | awk '{ printf "%.6g", $1 }')" \
    'a filled point is the rate at their size'
like "$texts" '^not published; ' 'a stage without a published rate is labeled'
like "$texts" '2048x2048, 16777216, 4096x4096x4096, 2048x2048' 'the sizes are in the provenance'

mkdir -p pair/{build,common,plots/data}
cp "$LADDER" pair/build
ln -s "$ROOT/common/figures" pair/common
for week in $weeks; do ln -s "$ROOT/$week" pair; done
ln -s "$ROOT"/plots/*.gp pair/plots
ln -s "$ROOT"/plots/data/{h200,published} pair/plots/data
cp -r "$ROOT/plots/data/h200" pair/plots/data/other
run env LADDER_BESIDE=other "$TMP/pair/build/ladder" figure gains
stream=$out
texts=$(texts "$stream")
is "$(block bars2 | cut -d' ' -f1-2)" "$(block bars1 | cut -d' ' -f1-2)" 'BESIDE adds a second column'
like "$texts" ' \| paler: other$' 'the provenance names it'
rm "$TMP/pair/plots/data/other/02_reduction.ladder.tsv"
fails 77 'a device without the ladder of a week is not shown beside' env LADDER_BESIDE=other \
    "$TMP/pair/build/ladder" figure gains
fails 77 'a recorded run without the rows of a figure' env LADDER_FROM=other "$TMP/pair/build/ladder" figure gains
like "$err" '02_reduction: no correct row of stage0 ' 'the missing row is named'

# --- cells that are no numbers

{
    printf 'week\tstage\tname\tsize\tmode\tstatus\trate\tunit\tdate\n'
    printf '01_x\tstage1\tn\t64x64\tcold\tok\t42\tGB/s\t2026-01-31\n'
} >right.tsv
ok 'a table with numbers is read' "$L" table right.tsv
for bad in banana nan inf 4,2 '42 GB/s' 0x; do
    sed "s|	42	|	$bad	|" right.tsv >wrong.tsv
    refused "wrong.tsv:2: rate '$bad': not a number" "$L" table wrong.tsv
done
for bad in banana-11-22 2026-11 2026-11-22x; do
    sed "s/2026-01-31/$bad/" right.tsv >wrong.tsv
    refused "wrong.tsv:2: date '$bad': not a date, year-month-day" "$L" table wrong.tsv
done
long=$(head -c 100000 /dev/zero | tr '\0' a)
for option in "$long" "figure $long" "figure ladder --size $long" "table $long.tsv"; do
    fails 2 'a value of 100,000 characters is refused' "$L" $option
    holds 'the message is short' "$(head -n 1 <<<"$err" | wc -c)" -lt 2000
done

# --- more curves than the course needs, and a figure whose second table lacks it

{
    printf 'week\tstage\tname\ttype\tsize\tmode\tstatus\trate\tunit\n'
    for s in {0..99}; do
        for n in 256 512 1024 2048 4096; do
            printf '01_x\tstage%d\tn\tfloat\t%dx%d\tcold\tok\t%d\tGB/s\n' $s $n $n $((n + 9 * s))
        done
    done
} >many.tsv
figure shmoo many.tsv
is "$(grep -c '^\$stage[0-9]* <<' <<<"$stream")" 100 'each of 100 stages has its curve'

# --- the text of figures

cp full2/01_transpose/figures kept
L=$TMP/full2/build/ladder
bad() { printf '%s\n' "${@:2}" >full2/01_transpose/figures; refused "$1" "$L" figure ladder --week 01_transpose; }
bad "01_transpose/figures:1: 'part': expected 'figure NAME' before it" 'part ladder'
bad "01_transpose/figures:2: 'pie': expected a line that begins with one of: figure part kind " 'figure x' '  pie 3'
bad "01_transpose/figures:2: kind: 'pie': expected of: bars curves points map" 'figure x' '  kind pie'
bad "01_transpose/figures:2: value: no such column \\(build/ladder columns lists them\\) at 'speed / 2'" \
    'figure x' '  value speed / 2'
bad '01_transpose/figures:2: value: no such function; there are max, min, sqrt, log2, ceil, floor and side' \
    'figure x' '  value root(rate)'
bad '01_transpose/figures:2: title: one of == != <= >= < > expected' 'figure x' '  title rate: A MESSAGE'
bad '01_transpose/figures:2: value: expected a text after it' 'figure x' '  value'
bad "01_transpose/figures: figure x: no line 'kind'" 'figure x' '  part ladder'
bad "01_transpose/figures: figure x: no line 'value'" 'figure x' '  part ladder' '  kind bars'
cat >full2/01_transpose/figures <<'END'
figure efficiency
  part   ladder
  kind   bars
  show   references
  value  rate / max(rate, peak_gbs) percent: share of the peak
  what   share of the peak bandwidth
  read   Longer is better.
END
figure efficiency --week 01_transpose
shows 'a figure of an existing kind is a text of the week' 'transpose: share of the peak bandwidth' '65 %' '0 copy'
! have gnuplot || draws svg 'it is drawn'
refused 'figure efficiency: no such figure of 02_reduction; there are: ladder' "$TMP/full/build/ladder" figure \
    efficiency --week 02_reduction
refused 'figure sectors: no such figure of 01_transpose' "$TMP/full/build/ladder" figure sectors --week 01_transpose
mv kept full2/01_transpose/figures

# --- published tables have the numbers of the slides

published=$ROOT/plots/data/published
is "$(awk -F '\t' '/^0/ { print $2, $6, $9 }' "$published/cme213_reduction.tsv" | tr '\n' ',')" \
    "$(n=0; for rate in 7 9.7 13.9 29 45.7 59.8 88.1; do printf 'stage%d 16777216 %s,' $n $rate; n=$((n + 1)); done)" \
    'the table of CME213 has the rates of the slides'
is "$(cells "$published/s2050_transpose.tsv" stage name rate unit)" 'stage0 copy 60.9 GB/s
stage1 naive 22.4 GB/s
stage2 coalesced 24.1 GB/s
stage3 padding 46.6 GB/s' 'the table of the S2050 has the rates of the slides'
is "$(awk -F '\t' '/^0/ { printf "%s %s/%s %g,", $2, $7, $8, $11 / 1000 }' "$published/8800gt_convolution.tsv")" \
    "stage1 / 148,stage3 / 3.4,stage3 /memory-only 1.2,stage3 BLOCK_Y=8/ 3.5,stage3 BLOCK_Y=20/ 3.4,\
stage3 BLOCK_X=19 BLOCK_Y=13/ 5.1,stage3 BLOCK_X=19 BLOCK_Y=13/memory-only 2.4,stage3 /pitch=unaligned 4.3,\
stage3 /pitch=unaligned memory-only 2.4,stage4 / 4.8,stage4 /memory-only 0.4,stage5 / 2.5,stage5 /memory-only 0.4,\
stage21 / 7.8,stage22 / 3.3,stage22 /memory-only 1.1,stage22 BLOCK_Y=8/ 3.2,stage22 BLOCK_Y=20/ 3.2,stage23 / 6.5," \
    'the table of Convolution Soup has the times of the slides, in milliseconds'
is "$(cells "$published/cs133_matmul.tsv" stage rate unit)" 'stage1 25 GFLOP/s' \
    'the table of CS 133 has the one rate of the slides'
is "$(awk -F '\t' '/^0/ && sprintf("%.4g", 2048 * 2048 / $11 / 1000) != $12' "$published/8800gt_convolution.tsv")" '' \
    'the rates of Convolution Soup follow from the times'

done_testing
