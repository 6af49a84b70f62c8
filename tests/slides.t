#!/usr/bin/env bash
# The slides: one deck per week with a slide for every core stage, its changed lines, its question and its answer; another recorded run changes it.
# poppler's tools measure the decks: pages of 16:9, words inside the page, apart, and at least 18 points high on a page of 13.33 x 7.5 inches.
. "$(dirname "$0")/lib.sh"
use_ladder
root=$TMP/root
mkdir -p "$root/build" "$root/plots/data" "$root/common/make" && cp "$ROOT/common/make/slides.sh" "$root/common/make" && cp "$LADDER" "$root/build/ladder" &&
    ln -s "$ROOT/common/figures" "$root/common" && cp -r "$ROOT/docs" "$root" && ln -s "$ROOT/plots/drawings" "$ROOT"/plots/*.gp "$root/plots" && ln -s "$ROOT"/plots/data/* "$root/plots/data"
weeks=$(cd "$ROOT" && ls -d [0-9][0-9]_*)
for week in $weeks; do mkdir "$root/$week" && ln -s "$ROOT/$week"/* "$root/$week"; done
L=$root/build/ladder
cd "$TMP" || exit
unset LADDER_FROM LADDER_BESIDE LADDER_WEEK

# --- what the decks have

# A label of gnuplot as text: without styles, and quotes and escapes undone.
plain() { sed -n "s/^set label '\(.*\)' at screen .*/\1/p" | sed -e 's/\\{/<</g; s/\\}/>>/g; s/{\/[^ ]* //g; s/[{}]//g' -e 's/<</{/g; s/>>/}/g; s/\\\(.\)/\1/g' -e "s/''/'/g"; }
for week in $weeks; do
    ok "$week: ladder slides" "$L" slides "$week"
    [ -z "$err" ] && pass "$week: every figure of the deck has its rows" || fail "$week: every figure of the deck has its rows" "$err"
    deck=$out texts=$(plain <<<"$out")
    lost=
    for stage in $(sed -n 's/^core: //p' "$ROOT/$week/messages"); do
        n=${stage#stage}
        for slide in "^Stage $n[: (]" "^Stage $n: (make diff A=[0-9]+ B=$n(, new lines)?|the kernel)$" "^Stage $n: question" "^Stage $n: answer$"; do
            grep -E -q "$slide" <<<"$texts" || lost="$lost $slide"
        done
    done
    is "$lost" '' "$week: every core stage has its idea, its changed lines, its question and its answer"
    is "$(grep -E '^Stage [0-9]+: .* \([2-9]\)$' <<<"$texts" | grep -E -v ': (make diff A=[0-9]+ B=[0-9]+(, new lines)?|the kernel) \(2\)$')" '' \
        "$week: the changed lines are on two slides at most, the idea and the answer on one"
    is "$(grep -c '^Measured (H200, .*): [0-9]' <<<"$texts")" "$(sed -n 's/^core: //p' "$ROOT/$week/messages" | wc -w)" "$week: every core stage has its measured rate"
    drawings=$(for stage in $(sed -n 's/^core: //p' "$ROOT/$week/messages"); do sed -n "/^### Stage ${stage#stage}[:( ]/,/^##/s/.*(.*drawing_\([a-z0-9_]*\).svg)\$/\1/p" "$ROOT/$week/README.md"; done)
    is "$(for name in $drawings; do grep -q "^load '$name.gp'" <<<"$deck" || echo "$name"; done)" '' "$week: the drawings of the core stages are there"
    like "$texts" 'objectives$' "$week: the objectives are there"
    like "$texts" '^The lecture says' "$week: what the lecture says is there"
    is "$(grep "^TITLE = " <<<"$deck" | tail -n 1)" "$("$L" figure ladder --recorded --week "$week" | grep '^TITLE = ')" "$week: the ladder with its message is the last slide"
done
week=01_transpose
run "$L" slides $week
like "$out" "^set label '\\+ __shared__ float tile\\[TILE\\]\\[TILE \\+ 1\\];' .* noenhanced" 'stage 3 of week 1: the new line'
like "$out" "^set label '- __shared__ float tile\\[TILE\\]\\[TILE\\];' .* noenhanced" 'stage 3 of week 1: the old line'
is "$(awk "/Stage 3.*make diff A=2 B=3/ { on = 1 } /^# --- slide/ { on = 0 } on" <<<"$out" | grep -c "^set label '[-+] ")" 2 'stage 3 of week 1: no other line'
like "$(plain <<<"$out")" '^Lanes 0 and 31\.$' 'an answer has the sentences of marked paragraphs'
like "$(plain <<<"$out")" '^With TILE \+ 2 the load' 'of each marked paragraph'

# --- another recorded run

mkdir "$root/plots/data/a100"
for table in "$ROOT"/plots/data/h200/$week.*.tsv; do
    awk -F '\t' -v OFS='\t' '/^#/ { gsub(/H200/, "A100"); print; next } /^week/ { for (i = 1; i <= NF; i++) at[$i] = i; print; next }
        { if (at["rate"] && $at["rate"] != "") $at["rate"] /= 2; if (at["device"]) gsub(/H200/, "A100", $at["device"]); print }' "$table" >"$root/plots/data/a100/${table##*/}"
done
h200=$(plain <<<"$out")
LADDER_FROM=a100 run "$L" slides $week
a100=$(plain <<<"$out")
like "$a100" '^Measured \(A100, 16384x16384, cold\): 879 GB/s, 41.5 % of memcpy' 'another recorded run changes the measured rates'
like "$out" "^PROVENANCE = 'NVIDIA A100" 'another recorded run changes the figures'
unlike "$h200" '[.:?] \(H200\)' 'sentences about the GPU of the page do not name it'
like "$a100" '^Stage 1 does not: 466 and 472 GB/s\. \(H200\)$' 'beside another run, a sentence that quotes a measurement names its GPU'
like "$a100" '^Loads are as in stage 0\.$' 'other sentences do not'
like "$a100" '^measured today' 'the table of the statements is there'
like "$a100" '^(measured today )?\(H200\)$' 'and names the GPU of the page'
fails 2 'a run that is not recorded is refused' env LADDER_FROM=none "$L" slides $week
like "$err" 'none/01_transpose.ladder.tsv: No such file' 'with a message'

# --- refusals

refused 'expected WEEK' "$L" slides
refused '09_none/README.md: No such file' "$L" slides 09_none
rm "$root/$week/README.md"
page() { printf '%s\n' "$@" >"$root/$week/README.md"; }
rates='<!-- begin: ladder markdown rates --at "16384x16384/cold" --of ref_memcpy 01_transpose.ladder -->'
page '# Week 1' '### Stage 0: copy'
fails 2 'a page without a table of rates is refused' "$L" slides $week
like "$err" 'no table of rates' 'with a message'
page '# Week 1' "$rates" '<!-- end -->' '### Stage 0: copy' 'Text.'
fails 2 'a page without a section of a core stage is refused' "$L" slides $week
like "$err" 'no section of stage1, which is in the core ladder' 'with a message'
page '# Week 1' "$rates" '<!-- end -->' '### Stage 0: copy' "$(printf 'a%.0s' {1..200})."
fails 2 'a word that does not fit on a slide is refused' "$L" slides $week
like "$err" 'a word is wider than a slide' 'with a message'
for text in '$(touch run)' '; touch run' '| touch run' '"$(touch run)"' '`touch run`' '01_transpose.ladder || touch run' "'x'"; do
    page '# Week 1' "${rates/01_transpose.ladder/$text}" '<!-- end -->' '### Stage 0: copy' 'Text.'
    fails 2 "a page with shell text is refused: $text" "$L" slides $week
    like "$err" 'expected `ladder` and words without characters of the shell' 'with a message'
    [ ! -e "$root/$week/run" ] && pass 'nothing is executed' || { fail 'nothing is executed'; rm "$root/$week/run"; }
done
rm "$root/$week/README.md" && ln -s "$ROOT/$week/README.md" "$root/$week"
sed -i 's/^\*\*Core stages:\*\* 4, 6/**Core stages:** 6/' "$root/docs/plan.md"
fails 2 'a core stage without a lecture is refused' "$L" slides $week
like "$err" 'no lecture of 01_transpose has stage4' 'with a message'
cp "$ROOT/docs/plan.md" "$root/docs"

# --- the decks as PDF

have gnuplot || { skip 'gnuplot draws the decks' 'gnuplot is not installed (apt-get install gnuplot-nox)'; done_testing; }
for tool in pdfinfo pdftotext pdffonts pdftohtml; do have $tool || { skip 'the decks are measured' "$tool is not installed (apt-get install poppler-utils)"; done_testing; }; done
for week in $weeks; do
    LADDER=$L ok "$week: slides.sh" "$root/common/make/slides.sh" "$week"
    is "$err" '' "$week: gnuplot has nothing to say"
    pdf=$root/plots/out/${week}_slides.pdf
    is "$(pdfinfo "$pdf" | awk '/^Page size:/ { print ($3 / $5 > 1.775 && $3 / $5 < 1.781) }')" 1 "$week: the pages are 16:9"
    is "plots/out/${week}_slides.pdf: $(pdfinfo "$pdf" | awk '/^Pages:/ { print $2 }') slides" "$out" "$week: each slide is a page"
    is "$(pdffonts "$pdf" | awk 'NR > 2 && $(NF - 4) != "yes"')" '' "$week: all fonts are embedded"
    # Words in the picture of a drawing or figure may be closer to the edges than text. Boxes are those of a line of 18 points; larger ones are of
    # rotated words or of titles.
    is "$(pdftotext -bbox "$pdf" - | awk '
        function get(name,   s) { s = $0; sub(".*" name "=\"", "", s); sub("\".*", "", s); return s + 0 }
        /<page / { page++; n = 0; W = get("width"); H = get("height"); u = H / 540 }
        /<word / {
            n++; x0[n] = get("xMin"); x1[n] = get("xMax"); y0[n] = get("yMin"); y1[n] = get("yMax"); t[n] = $0; gsub(/<[^>]*>/, "", t[n])
            if (x0[n] < 4 * u || x1[n] > W - 4 * u || y0[n] < 0 || y1[n] > H) print "slide", page, "clipped:", t[n]
            if (y1[n] - y0[n] < 18 * u) print "slide", page, "small:", t[n]
            if (y1[n] - y0[n] > 60 * u) { n--; next }
            m = (y0[n] + y1[n]) / 2; y0[n] = m - 9 * u; y1[n] = m + 9 * u
            for (j = 1; j < n; j++)
                if (x0[n] < x1[j] - 1 && x0[j] < x1[n] - 1 && y0[n] < y1[j] - 1 && y0[j] < y1[n] - 1) print "slide", page, "overlap:", t[n], t[j]
        }' | head -n 5)" '' "$week: words are inside the pages and apart"
    # pdftohtml magnifies at most 3 times, and prints whole points.
    is "$(pdftohtml -xml -i -zoom 3 -stdout "$pdf" | sed -n 's/.*<fontspec .*size="\([0-9]*\)".*/\1/p' | sort -n | awk 'NR == 1 { print ($1 >= 54) }')" 1 "$week: no text is smaller than 18 points"
done
done_testing
