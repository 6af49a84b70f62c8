#!/usr/bin/env bash
# The figures: drawn from the recorded runs and from test vectors in tests/data, in all three formats; what they must show and must not; refusals.
. "$(dirname "$0")/lib.sh"
have gnuplot || skip_all 'gnuplot is not here (apt-get install gnuplot-nox)'
cd "$TMP" || exit
plots=$ROOT/plots data=$ROOT/tests/data

# What is written in an svg, one text a line.
texts() { sed -n -e 's/^.*<text>\(.*\)<\/text>.*$/\1/p' -e 's/^.*<text>\(<tspan.*\)<\/text>.*$/\1/p' "$1" | sed 's/<[^>]*>//g'; }
# draw SCRIPT IN OUT [option...]: status 0, and not a word
draw()
{
    run gnuplot -c "$plots/$1.gp" "${@:2}"
    if [ $status = 0 ] && [ -z "$out$err" ] && [ -s "$3" ]; then pass "$1 draws ${3##*/} from ${2##*/} ${*:4}"; else fail "$1 draws ${3##*/} from ${2##*/} ${*:4}" "exit status $status" "$out" "$err"; fi
    texts=$([ "${3##*.}" = svg ] && [ -f "$3" ] && texts "$3")
}
# shows NAME TEXT...: each is the whole of some text in the svg last drawn
shows() { local name=$1 t; shift; for t; do grep -F -x -q -e "$t" <<<"$texts" || { fail "$name" "no '$t' among:" "$texts"; return; }; done; pass "$name"; }
shows_no() { local name=$1 t; shift; for t; do ! grep -F -q -e "$t" <<<"$texts" || { fail "$name" "there is '$t' among:" "$texts"; return; }; done; pass "$name"; }
# gives_up WANTED-STATUS WORDS-OF-THE-MESSAGE SCRIPT IN OUT [option...]
gives_up()
{
    local want=$1 words=$2
    shift 2
    run gnuplot -c "$plots/$1.gp" "${@:2}"
    local lines
    lines=$(grep -c . <<<"$err")
    if [ $status = "$want" ] && [ "$lines" = 1 ] && [[ $err == *"$words"* ]] && { [ $# -lt 3 ] || [ ! -e "$3" ]; }; then
        pass "$1 gives up, one line, no file: $words"
    else
        fail "$1 gives up, one line, no file: $words" "exit status $status, $lines lines on stderr" "$err" "$(ls -l "${3-}" 2>&1)"
    fi
}
# without COLUMN FILE
without() { awk -F '\t' -v OFS='\t' -v c="$1" '/^#/ { print; next } !at { for (i = 1; i <= NF; i++) if ($i == c) at = i } { s = ""; for (i = 1; i <= NF; i++) if (i != at) s = s (s == "" ? "" : OFS) $i; print s }' "$2"; }

# --- every figure in every format

for figure in ladder shmoo time_per_element then_and_now knobs counts activity summation_error roofline sawtooth accuracy sectors access \
    memory_only instructions sensitivity generations occupancy; do
    in=$data/$figure.tsv
    [ -f "$in" ] || in=$data/ladder.tsv
    for format in svg png pdf; do draw $figure "$in" $figure.$format; done
    like "$(head -c 200 $figure.svg | tr -d '\n')" '<svg' "$figure.svg is an svg"
    is "$(grep . $figure.svg | tail -n 1)" '</svg>' "$figure.svg is whole"
    is "$(head -c 8 $figure.png | od -An -tx1 | tr -d ' ')" 89504e470d0a1a0a "$figure.png is a png"
    is "$(head -c 5 $figure.pdf)" '%PDF-' "$figure.pdf is a pdf"
done

# --- what they say

draw ladder "$data/ladder.tsv" out.svg
shows 'the ladder names its stages, their rates and their shares' stage0 copy 800 80% stage1 naive 100 10% stage2 stage10
shows 'the ladder has its references and the pins' 'memcpy 1000' 'cublas 914' 'pins 1234'
shows 'the footer says what was run where' 'TEST VECTOR | CUDA 99.9 | 2000-01-01 | 2048x2048 | float | cold'
shows 'a wrong stage keeps its place and says so, one without a rate too' wrong 'no rate'
shows_no 'no rate of a wrong row, of a build with knobs, or of another size' 7654 6543 9876 500
is "$(grep -n -F -x -e stage2 -e stage10 <<<"$texts" | cut -d: -f2 | tr '\n' ' ')" 'stage2 stage10 ' 'stage10 comes after stage2'
draw ladder "$data/ladder.tsv" out.svg size=1024x1024
shows 'a later row replaces an earlier one' 110
shows_no 'and nothing is left of that' 8765
draw ladder "$data/ladder.tsv" out.svg mode=hot
shows 'hot is labelled so' 'TEST VECTOR | CUDA 99.9 | 2000-01-01 | 2048x2048 | float | hot' 3000 1500
shows_no 'and is not held against the pins' pins
draw ladder "$data/ladder.tsv" out.svg base=stage0
shows 'any row may be the base' 100% 12%
# Each stage beside its own references: 90 of 100 is 90%, whatever the next run's is; stage3, timed alone, is held against their median.
{
    printf 'week\tstage\tname\tsize\tmode\tstatus\tmedian_us\trate\tunit\n'
    for row in 'stage1 x 5 90' 'ref_memcpy memcpy 5 100' 'ref_other other 5 500' 'stage2 y 5 60' 'ref_memcpy memcpy 5 50' 'ref_other other 5 400' \
        'stage4 w 5 70' 'ref_memcpy memcpy 5 70' 'stage3 z 5 21'; do
        set -- $row
        printf 'w\t%s\t%s\t%s\tcold\tok\t%s\t%s\tGB/s\n' $1 $2 64x64 $3 $4
    done
} >runs.tsv
draw ladder runs.tsv out.svg
shows 'shares are of the same run, a reference is shown by its median' 90% 120% 100% 30% 'memcpy 70' 'other 450' \
    'w: rate of each stage, and its share of memcpy in the same run'
draw ladder runs.tsv out.svg base=stage2
shows 'of a stage, which is in no other'\''s run, they are of its rate' 150% 100% 'w: rate of each stage, and its share of stage2'
{ sed '/ref_/d; s/64x64/32x32/' runs.tsv; sed '/ref_/d; /^week/d' runs.tsv; } >lone.tsv
{ cat lone.tsv; sed -n '/ref_/p; s/64x64/32x32/; /ref_/p' runs.tsv; } >all.tsv
{
    cat lone.tsv
    for size in 32x32 64x64; do printf "w\t%s\t%s\t$size\tcold\tok\t5\t%s\tGB/s\n" ref_other other 450 ref_memcpy memcpy 70; done
} >median.tsv
draw shmoo all.tsv all.svg
draw shmoo median.tsv median.svg
ok 'and so are their curves' cmp all.svg median.svg
draw ladder "$data/ladder.tsv" out.svg knobs=TILE=16
shows 'a build with knobs, when asked for' 6543

draw shmoo "$data/ladder.tsv" out.svg
shows 'the shmoo labels its curves, its axes and the L2' '0 copy' '1 naive' '2 coalesced' '10 late' memcpy cublas 'L2: 16 MiB' 'side n (n x n)' 1ki 2ki GB/s
# Tables may have their rows in any order: the curves are the same.
{ grep -e '^#' -e '^week' "$data/ladder.tsv"; grep -v -e '^#' -e '^week' -e 8765 "$data/ladder.tsv" | sort -s -t "$(printf '\t')" -k6,6 -k1,2; } >by_size.tsv
grep -v 8765 "$data/ladder.tsv" >by_stage.tsv
draw shmoo by_stage.tsv by_stage.svg
draw shmoo by_size.tsv by_size.svg
ok 'the order of rows breaks no curve' cmp by_size.svg by_stage.svg
draw time_per_element "$data/ladder.tsv" out.svg
shows 'time per element: its curves and its unit' '0 copy' '10 late' memcpy 'time per element' '10 ps' '100 ps'

draw then_and_now "$data/ladder.tsv" out.svg
shows 'then: the slides, and where they are from' '60.9 GB/s' '22.4 GB/s' '24.1 GB/s' '46.6 GB/s' 37% 40% 77% 'then: Tesla S2050' \
    'then: Tesla S2050, 2048x2048, CINECA PATC slides, 2018'
shows 'now: as a share of its own copy' '800 GB/s' '100 GB/s' 12% 'now: TEST VECTOR' wrong 'not run'

draw knobs "$data/knobs.tsv" out.svg
shows 'the map: knobs, settings, rates, failures' TILE ROWS 16 32 128 101 203 305 wrong error skip 'transpose, stage4 rows: rate by TILE and ROWS'
shows_no 'no rate of a wrong cell' 7777
is "$(grep -n -F -x -e 16 -e 32 -e 128 <<<"$texts" | cut -d: -f2 | tr '\n' ' ')" '16 32 128 ' 'settings in the order of their numbers'
draw knobs "$data/knobs.tsv" out.svg stage=stage6
shows 'the map of one knob is a row' 8 16 42 43 'transpose, stage6 float4: rate by TILE'
sed -e 's/\tcold\t/\tcount\t/' -e 's/\trate\t/\tshared_wavefronts\t/' "$data/knobs.tsv" >counted.tsv
draw knobs counted.tsv out.svg
shows 'on the CPU device the map is of a count' shared_wavefronts 101.0

draw counts "$data/counts.tsv" out.svg
shows 'counts: sectors and wavefronts for a request, and the bytes moved' stage0 stage1 stage2 stage8 4 29 13.5 1x 4.12x 'ideal, 4 B a lane' 'ideal, 16 B a lane' skip
is "$(grep -c -x ' *0' <<<"$texts") $(grep -c -i nan <<<"$texts")" '2 0' 'what was not counted is not drawn as a number: the only zeros are those of the axes'

draw activity "$data/activity.tsv" out.svg
shows 'activity: lanes and barriers of each stage' stage0 stage1 8 16.5 27.2 328k 164k 128 skip 'reduction: lanes that work, and barriers'
is "$(grep -c -i nan <<<"$texts")" 0 'and nothing of what was not counted'

draw summation_error "$data/summation_error.tsv" out.svg
shows 'errors: stages, the sums of the host, and what theory says' '0 modulo' '12 any_size' naive kahan 'in a tree: sqrt(log2 n)' \
    'additions one after the other: sqrt(n / 2)' elements 2ki 16ki 'TEST VECTOR | 2000-01-01 | float | check'
shows_no 'a stage that takes no floats has no curve, nor have sums of doubles' one_word 5555
# The curve is the mean of the seeds: as if one seed had it.
awk -F '\t' -v OFS='\t' '$11 == 2 { next } $11 == 1 { $12 *= 2 } { print }' "$data/summation_error.tsv" >doubled.tsv
awk -F '\t' -v OFS='\t' '$11 == 1 { $12 *= 4 } $11 == 2 { $12 = 0 } { print }' "$data/summation_error.tsv" >uneven.tsv
draw summation_error doubled.tsv doubled.svg
draw summation_error uneven.tsv uneven.svg
labels() { grep -o '<text>[a-z0-9 _]*</text>' "$1"; }
is "$(labels uneven.svg)" "$(labels doubled.svg)" 'several seeds are one curve'

sed 's/01_transpose/02_reduction/; s/2048x2048/16777216/; s/1024x1024/1024/' "$data/ladder.tsv" >sums.tsv
draw then_and_now sums.tsv out.svg
shows 'far above the base, in multiples' 12.6x 8.5x 1.4x 88.1 800 'then: GPU of the slides, GB/s' \
    'reduction: then and now, each as a multiple of its own modulo' 'then: GPU of the slides, 16777216, Stanford CME213 slides, 2017'

# Eighteen bars: the shares get narrower with them.
{ cat "$data/ladder.tsv"; for i in $(seq 20 34); do sed -n "s/\tstage0\tcopy\t/\tstage$i\tmore\t/p" "$data/ladder.tsv"; done; } >many.tsv
draw ladder many.tsv out.svg
shows 'many bars' '34 more' 80%
shows_no 'without a decimal that no bar has room for' 80.0%

# --- the figures of products of matrices

draw roofline "$data/roofline.tsv" out.svg
shows 'the roofline has its roofs' 'fp32 multiply-adds 65000 GFLOP/s' 'memory 3800 GB/s' 'L2 7000 GB/s'
shows 'and every stage and reference' '1 simple' '11 tuned' '12 tensor' cublas
shows 'and says what its points are' 'flops for each byte that memory moved (filled), that L2 gave (hollow), that the problem needs (triangle)'
grep -v '	count	' "$data/roofline.tsv" >uncounted.tsv
draw roofline uncounted.tsv out.svg
shows 'nothing counted: by the bytes of the problem' 'flops for each byte that the problem needs' '1 simple'
grep -v '	l2	' "$data/roofline.tsv" >memory.tsv
draw roofline memory.tsv out.svg
shows_no 'no roof of L2 that was not measured' 'L2 7000'
draw sawtooth "$data/sawtooth.tsv" out.svg
shows 'the saw-tooth: its curves, on a plain axis' '11 tuned' cublas 2000 3000 'side n (n x n x n)'
draw accuracy "$data/accuracy.tsv" out.svg
shows 'accuracy: stages and references against K' '1 simple' '12 tensor' cublas 'K, of 512x512xK' 64ki '2^-24' 'max |error| / (K / 4)'
awk -F '\t' -v OFS='\t' '/^#/ { print; next } { print $0, /^week/ ? "arithmetic" : /_tf32/ ? "tf32" : "" }' "$data/accuracy.tsv" >arithmetic.tsv
draw accuracy arithmetic.tsv out.svg
shows 'references of another arithmetic among them' cublas cublas_tf32
draw sectors "$data/sectors.tsv" out.svg
shows "sectors: the stages' and the slides' sum" 62.5 7.81 3.91 0.977 skip 'tile 1x1' 'tile 16x16' 'sectors / 1000 flops'
draw access "$data/access.tsv" out.svg
shows 'access: used, moved, and what a profiler counted' used 'moved, in sectors' 'moved by DRAM' 'a sector for each word' GB/s 64
without dram_bytes "$data/access.tsv" >less.tsv
draw access less.tsv out.svg
shows_no 'nothing of DRAM that was not counted' 'moved by DRAM'
sed -e 's/\tcold\t/\tcount\t/' "$data/access.tsv" >counted.tsv
draw access counted.tsv out.svg
shows 'on the CPU device it is bytes' 'bytes moved for each word' 'moved, in sectors'
shows_no 'and no rate' GB/s

# --- the figures of convolutions

draw memory_only "$data/memory_only.tsv" out.svg
shows 'then: the slides, what they do not tell apart, and what is cut off' 'then: GeForce 8800 GT, 2048x2048, NVIDIA GTC slides, 2009' '^ 148' 3.3 1.1 ms
shows 'now: the whole, and what is left without the arithmetic' 'now: TEST VECTOR, 2048x2048' us '^ 900' 16 20 8 10 6 12 wrong memcpy 'not told apart'
shows_no 'no row of another pitch, of knobs, of another size' 77 55 4321
is "$(grep -c -x 5 <<<"$texts")" 2 'a twin that takes longer than its stage is as long as that'
cp "$data/memory_only.tsv" other.tsv
sed -i 's/04_convolution/09_other/' other.tsv
draw memory_only other.tsv out.svg
shows 'without a published table there is only now' 'now: TEST VECTOR, 2048x2048' '^ 900'
shows_no 'and no then' 'then:'

draw instructions "$data/instructions.tsv" out.svg
shows 'instructions: stages, the copy, the limit' '1 naive' '4 shared' '12 strips' 'memcpy 1049' 'as fast as instructions are issued' 'instructions of a thread for each pixel' Gpx/s
shows_no 'none that was not counted' float dp2a
for c in issue_per_cycle cycles_per_second; do
    without $c "$data/instructions.tsv" >less.tsv
    draw instructions less.tsv out.svg
    shows_no "no limit without $c" 'as fast as'
done

draw sensitivity "$data/sensitivity.tsv" out.svg
shows 'settings, of now and then, and the slides'\'' numbers' stage4 BLOCK_Y=8 BLOCK_X=19 BLOCK_Y=13 pitch=2052 pitch=2064 1.10 1.20 1.15 1.05 1.35 1.01 0.97 1.50 2.00 1.26
is "$(grep -c -x 2.00 <<<"$texts")" 2 'the slides have one pitch, shown once'
shows_no 'no other options, nothing without what it is a multiple of' 6.25 stage8 stage9

draw generations "$data/generations.tsv" out.svg
shows 'generations: their rules, and the stages' '1.1, transactions' '1.3, transactions' '9.0, sectors' naive '+ textures' error 'not counted' 'bytes moved / needed'

draw occupancy "$data/occupancy.tsv" out.svg
shows 'occupancy: the slides, the stages, the three charts' 1-3 5 8 12 'threads a block' 'registers a thread' 'bytes of shared memory a block' \
    "then: compute capability 1.1; the slides' example: 256 threads, 25 registers, 2048 bytes: 8 of 24 warps, 33%" \
    'now: compute capability 9.0, TEST VECTOR; the stages by their numbers, curves of stage12'
grep -v 'stage[0-9]' "$data/occupancy.tsv" >slides.tsv
draw occupancy slides.tsv out.svg
shows_no 'without stages there is the example alone' 'now:'

# --- tables that lack what can be done without

grep -v '^#' "$data/ladder.tsv" >bare.tsv
draw ladder bare.tsv out.svg
shows 'without # lines the columns say enough' 'TEST VECTOR | 2000-01-01 | 2048x2048 | float | cold'
for c in device name type knobs unit date p10_us p90_us median_us peak_gbs; do without $c "$data/ladder.tsv" >less.tsv; draw ladder less.tsv out.svg; done
for c in bytes l2_bytes; do without $c "$data/ladder.tsv" >less.tsv; draw shmoo less.tsv out.svg; shows_no "no L2 without $c" L2; done
grep -v ref_ "$data/ladder.tsv" >alone.tsv
draw ladder alone.tsv out.svg
shows 'without references there are no shares' 800
shows_no 'and none is made up' %
mkdir -p "it's a folder"
cp "$data/ladder.tsv" "it's a folder/my table.tsv"
draw ladder "it's a folder/my table.tsv" "it's a folder/my figure.svg"
(cd "$ROOT/plots" && gnuplot -c ladder.gp "$data/ladder.tsv" "$TMP/here.svg") && [ -s here.svg ] && pass 'a script finds its own folder' || fail 'a script finds its own folder'

# --- refusals

rm -f no.*
: >empty.tsv
grep -e '^#' -e '^week' "$data/ladder.tsv" >header.tsv
gives_up 2 'usage: gnuplot -c' ladder
gives_up 2 'usage: gnuplot -c' ladder "$data/ladder.tsv"
gives_up 2 'absent.tsv: no such file' ladder absent.tsv no.svg
gives_up 2 'empty.tsv: is empty' shmoo empty.tsv no.svg
gives_up 2 '.svg, .png or .pdf' ladder "$data/ladder.tsv" no.jpg
gives_up 2 'cannot write' ladder "$data/ladder.tsv" no/such/folder.svg
gives_up 2 "'colour=red'" ladder "$data/ladder.tsv" no.svg colour=red
gives_up 2 "'2048'" ladder "$data/ladder.tsv" no.svg 2048
gives_up 2 "'count=regs'" knobs "$data/knobs.tsv" no.svg count=regs
gives_up 2 'absent.tsv: no such file' then_and_now "$data/ladder.tsv" no.svg published=absent.tsv
for c in stage mode status size rate; do without $c "$data/ladder.tsv" >less.tsv; gives_up 2 "less.tsv: has no column '$c'" ladder less.tsv no.svg; done
without st_sectors "$data/counts.tsv" >less.tsv
gives_up 2 "has no column 'st_sectors'" counts less.tsv no.svg
for figure in ladder shmoo time_per_element knobs counts then_and_now activity summation_error; do
    case $figure in counts|activity|summation_error) grep -e '^#' -e '^week' "$data/$figure.tsv" >none.tsv ;; *) cp header.tsv none.tsv ;; esac
    gives_up 77 'none.tsv: has a header and no rows' $figure none.tsv no.svg
done
for figure in roofline sawtooth accuracy sectors memory_only instructions sensitivity generations; do
    grep -e '^#' -e '^week' "$data/$figure.tsv" >none.tsv
    gives_up 77 'none.tsv: has a header and no rows' $figure none.tsv no.svg
done
grep -v demo_roofs "$data/roofline.tsv" >roofless.tsv
gives_up 77 'no row of mode roof for fma' roofline roofless.tsv no.svg
grep -v memory-only "$data/memory_only.tsv" >whole.tsv
gives_up 77 'no row of variant memory-only' memory_only whole.tsv no.svg
grep -v '	count	' "$data/instructions.tsv" >uncounted.tsv
gives_up 77 'a count of its instructions' instructions uncounted.tsv no.svg
grep -v -e rules= "$data/generations.tsv" >today.tsv
gives_up 77 'only the rules of 9.0' generations today.tsv no.svg
grep -v BLOCK whole.tsv >plain.tsv
gives_up 77 'no row with knobs or a pitch' sensitivity plain.tsv no.svg
grep -v point "$data/occupancy.tsv" >curves.tsv
gives_up 77 'no row is a point' occupancy curves.tsv no.svg
gives_up 2 "has no column 'capability'" occupancy "$data/ladder.tsv" no.svg
gives_up 77 'a max_error' accuracy "$data/roofline.tsv" no.svg
gives_up 77 'no row of mode count' sectors "$data/sawtooth.tsv" no.svg
gives_up 2 "has no column 'stride'" access "$data/ladder.tsv" no.svg
grep -v 'demo_access	stride' "$data/access.tsv" >unstrided.tsv
gives_up 77 'has a stride' access unstrided.tsv no.svg
sed 's/\tok\t/\twrong\t/' "$data/ladder.tsv" >wrong.tsv
for figure in ladder shmoo time_per_element then_and_now; do gives_up 77 'wrong.tsv: no row' $figure wrong.tsv no.svg; done
gives_up 77 'size 8x8' ladder "$data/ladder.tsv" no.svg size=8x8
gives_up 77 'type double' ladder "$data/ladder.tsv" no.svg type=double
gives_up 77 'no row of ref_none' ladder "$data/ladder.tsv" no.svg base=ref_none
gives_up 77 'only the one size' shmoo "$data/ladder.tsv" no.svg mode=hot
sed 's/\tcount\t/\tcold\t/' "$data/counts.tsv" >timed.tsv
gives_up 77 'timed.tsv: no row of mode count' counts timed.tsv no.svg
grep -v stage0 "$data/ladder.tsv" >headless.tsv
gives_up 77 'headless.tsv: no row of stage0' then_and_now headless.tsv no.svg
sed 's/01_transpose/09_other/' "$data/ladder.tsv" >other.tsv
gives_up 77 'for 09_other' then_and_now other.tsv no.svg
grep -v TILE "$data/ladder.tsv" >plain.tsv
gives_up 77 'one or two knobs' knobs plain.tsv no.svg

# --- recorded runs

recorded=0
for table in "$plots"/data/h200/*.tsv "$plots"/data/cpu/*.tsv; do
    [ -f "$table" ] || continue
    kind=${table##*/} kind=${kind%.tsv} kind=${kind##*.}
    case ${table%/*} in */cpu) kind=activity ;; esac
    ! grep -q 'rules=' "$table" || kind=generations
    case $kind in
    errors) figures=summation_error ;;
    roofline|sawtooth|accuracy|access|instructions|sensitivity|occupancy) figures=$kind ;;
    ladder) figures="ladder then_and_now $(! grep -q memory-only "$table" || echo memory_only)" ;;
    shmoo) figures='shmoo time_per_element' ;;
    knobs|counts|activity) figures=$kind ;;
    generations) figures='activity generations' ;;
    combine|ways) figures= ;;   # for a table of the README
    *) fail "$table is of a known kind" "$kind"; continue ;;
    esac
    recorded=$((recorded + 1))
    device=$(sed -n 's/^# device: //p' "$table" | head -n 1)
    for figure in $figures; do
        if [ $figure = then_and_now ]; then
            topic=${table##*/} topic=${topic%%.*} topic=${topic#*_}
            ls "$plots"/data/published/*_"$topic".tsv >/dev/null 2>&1 || continue
        fi
        for format in png pdf svg; do draw $figure "$table" recorded.$format; done
        like "$texts" "^$device \|" "$figure of ${table##*/} bears its device"
        [ $figure != ladder ] || for stage in $(awk -F '\t' '$2 ~ /^stage/ { print $2 }' "$table" | sort -u); do
            like "$texts" "^($stage|${stage#stage} .*)\$" "${table##*/}: $stage is on the ladder"
        done
    done
done
[ $recorded != 0 ] || skip 'figures of recorded runs' 'nothing is recorded in plots/data/h200'

# --- rows with options of a week's own are no part of what goes without

awk -F '\t' -v OFS='\t' '/^#/ { print; next } /^week/ { for (i = 1; i <= NF; i++) at[$i] = i; print $0, "variant"; next }
    { print $0, ""; $at["rate"] = 54321; print $0, "memory-only" }' "$data/ladder.tsv" >"$TMP/variants.tsv"
draw ladder "$TMP/variants.tsv" variants.svg
unlike "$texts" 54321 'the ladder leaves them out'

# --- what is published is what the slides say

is "$(awk -F '\t' '/^0/ { print $2, $6, $9 }' "$plots/data/published/cme213_reduction.tsv" | tr '\n' ',')" \
    "$(n=0; for rate in 7 9.7 13.9 29 45.7 59.8 88.1; do printf 'stage%d 16777216 %s,' $n $rate; n=$((n + 1)); done)" 'the table of CME213'
is "$(awk -F '\t' '!/^#/ { print $2, $3, $8, $9 }' "$plots/data/published/s2050_transpose.tsv" | tr '\n' ',')" \
    'stage name rate unit,stage0 copy 60.9 GB/s,stage1 naive 22.4 GB/s,stage2 coalesced 24.1 GB/s,stage3 noconflict 46.6 GB/s,' 'the table of the S2050'
is "$(awk -F '\t' '/^0/ { printf "%s %s/%s %g,", $2, $7, $8, $11 / 1000 }' "$plots/data/published/8800gt_convolution.tsv")" \
    "$(printf %s 'stage1 / 148,stage2 / 7.8,stage3 / 6.3,stage4 / 3.3,stage4 /memory-only 1.1,stage4 BLOCK_Y=8/ 3.2,stage4 BLOCK_Y=20/ 3.2,stage5 / 6.5,' \
    'stage6 / 3.6,stage6 /memory-only 1.6,stage7 / 3.4,stage7 /memory-only 1.2,stage7 BLOCK_Y=8/ 3.5,stage7 BLOCK_Y=20/ 3.4,' \
    'stage7 BLOCK_X=19 BLOCK_Y=13/ 5.1,stage7 BLOCK_X=19 BLOCK_Y=13/memory-only 2.4,stage7 /pitch=unaligned 4.3,' \
    'stage7 /pitch=unaligned memory-only 2.4,stage8 / 4.8,stage8 /memory-only 0.4,stage9 / 2.9,stage9 /memory-only 0.4,stage10 / 2.5,' \
    'stage10 /memory-only 0.4,')" 'the results of Convolution Soup, in milliseconds'
is "$(awk -F '\t' '/^0/ && sprintf("%.4g", 2048 * 2048 / $11 / 1000) != $12' "$plots/data/published/8800gt_convolution.tsv")" '' 'and their rates'

done_testing
