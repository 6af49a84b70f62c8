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

for figure in ladder shmoo time_per_element then_and_now knobs counts; do
    case $figure in knobs|counts) in=$data/$figure.tsv ;; *) in=$data/ladder.tsv ;; esac
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
shows 'time per element: its curves and its unit' '0 copy' '10 late' memcpy 'ps per element'

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

# --- tables that lack what can be done without

grep -v '^#' "$data/ladder.tsv" >bare.tsv
draw ladder bare.tsv out.svg
shows 'without # lines the columns say enough' 'TEST VECTOR | 2000-01-01 | 2048x2048 | float | cold'
for c in device name type knobs unit date p10_us p90_us median_us pins_gbs; do without $c "$data/ladder.tsv" >less.tsv; draw ladder less.tsv out.svg; done
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
for figure in ladder shmoo time_per_element knobs counts then_and_now; do
    case $figure in counts) grep -e '^#' -e '^week' "$data/counts.tsv" >none.tsv ;; *) cp header.tsv none.tsv ;; esac
    gives_up 77 'none.tsv: has a header and no rows' $figure none.tsv no.svg
done
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
for table in "$plots"/data/h200/*.tsv; do
    [ -f "$table" ] || continue
    kind=${table##*/} kind=${kind%.tsv} kind=${kind##*.}
    case $kind in
    ladder) figures='ladder then_and_now' ;;
    shmoo) figures='shmoo time_per_element' ;;
    knobs|counts) figures=$kind ;;
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

# --- what is published is what the slides say

is "$(awk -F '\t' '!/^#/ { print $2, $3, $8, $9 }' "$plots/data/published/s2050_transpose.tsv" | tr '\n' ',')" \
    'stage name rate unit,stage0 copy 60.9 GB/s,stage1 naive 22.4 GB/s,stage2 coalesced 24.1 GB/s,stage3 noconflict 46.6 GB/s,' 'the table of the S2050'

done_testing
