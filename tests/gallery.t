#!/usr/bin/env bash
# The gallery: one offline page with every figure of every week and the drawings, which a browser shows completely, also
# on a phone. Without FULL=1, of weeks 1 and 3.
. "$(dirname "$0")/lib.sh"
have gnuplot || skip_all 'gnuplot is not installed (apt-get install gnuplot-nox)'
use_ladder
root=$TMP/root
mkdir -p "$root/build" "$root/plots/out" "$root/common/make"
cp "$ROOT"/common/make/{plots,drawings,svg_title,turns,gallery}.sh "$ROOT/common/make/gallery.awk" "$root/common/make"
cp "$LADDER" "$root/build/ladder"
ln -s "$ROOT/common/figures" "$root/common"
ln -s "$ROOT"/plots/{*.gp,data,drawings} "$root/plots"
weeks=
for week in $(if is_full; then ladders "$ROOT/"; else ls -d "$ROOT"/0[13]_*; fi); do
    week=${week##*/} weeks="$weeks ${week##*/}"
    mkdir "$root/$week" && ln -s "$ROOT/$week"/{*.cu,runs,messages,figures} "$root/$week"
done
# plots WEEKS [FORMAT]: draws the figures of a week, or those that compare weeks
plots()
{
    (cd "$root/$([[ $1 = *' '* ]] || echo "$1")" &&
        LADDER=$root/build/ladder "$root/common/make/plots.sh" "$1" "${2-svg}")
}

cd "$TMP" || exit
fails 2 'a gallery without a figure is refused' "$root/common/make/gallery.sh"
like "$err" 'make plots draws them' 'and says what draws them'
for week in $weeks "${weeks# }"; do
    ok "${week/* */all weeks}: the figures are drawn" plots "$week"
    like "$out" "^(${week/* */all weeks}): [0-9]+ figures, from recorded runs$" 'one line says how many, and from where'
    is "$(grep -c '' <<<"$out")" 1 'and nothing else is printed'
done
ok 'the drawings are drawn' "$root/common/make/drawings.sh" svg "$root/plots/out"
is "$out" "drawings: $(ls "$root/plots/out" | grep -c '^drawing_')" 'one line says how many'
for i in 1 2 3; do plots 01_transpose >"$TMP/at_once$i" 2>&1 & done
wait
is "$(sort -u "$TMP"/at_once*)" "$(head -n 1 "$TMP/at_once1")" 'several runs at once take turns, and all succeed'
V=1 run plots 03_matmul
like "$out" '^ladder: plots/out/03_matmul_ladder\.svg, from the recorded run plots/data/h200/03_matmul\.ladder\.tsv$' \
    'with V=1, the files and sources are listed'
like "$out" '^not drawn: access_bytes: .*03_matmul\.access\.tsv: ' 'and the reason why a figure is not drawn'
cp "$root/plots/out/01_transpose_ladder.svg" "$root/plots/out/01_transpose_lanes_stage3@TILE=16.svg"

# The page reads sources from the lists and their tables, not from the pictures.
cp -r "$root/plots/out" "$TMP/drawn"
for picture in "$root"/plots/out/*.svg; do sed -i 's|<text>.*</text>|<text></text>|' "$picture"; done
ok 'the gallery' "$root/common/make/gallery.sh"
page=$root/plots/out/index.html
pictures=$(grep -o 'src="[^"]*"' "$page" | sed 's/src="\(.*\)"/\1/')
count=$(grep -c . <<<"$pictures")
is "$out" "To see all $count pictures, open $page in a browser." 'the last line names the file to open'
is "$(sort <<<"$pictures")" "$(ls "$root/plots/out" | grep 'svg$' | sort)" 'the page has every figure that was drawn'
is "$(grep -o 'href="#[^"]*"' "$page" | sed 's/href="#\(.*\)"/\1/')" \
    "$(grep -o 'figure id="[^"]*"' "$page" | sed 's/.*"\(.*\)"/\1/')" \
    'the list of contents leads to each of them, in order'
is "$(sort <<<"$pictures" | uniq -d)" '' 'each is there once'
is "$(grep -c '<figcaption>[A-Z0-9_].*[.]<br>$' "$page")" "$count" 'each has one sentence on how to read it'
unlike "$(cat "$page")" '(https?:)?//' 'the page loads nothing from the network'
like "$(cat "$page")" '<meta name="viewport" content="width=device-width' 'the page has the width of a phone'
figures=$(cat "$root"/plots/out/*_figures.tsv | grep -vc '^figure')
is "$(grep -c '^Data: the recorded runs\? plots/data/.*; .*| 20[0-9 to-]* |.*</small>' "$page")" "$figures" \
    'each figure names its table, its device and its date'
note() { sed -n "s/^# $1: //p" "$ROOT/plots/data/h200/01_transpose.shmoo.tsv"; }
like "$(grep '^Data: .*01_transpose.shmoo.tsv' "$page" | head -n 1)" "^Data: the recorded run \
plots/data/h200/01_transpose.shmoo.tsv; $(note device) \| CUDA $(note cuda), driver $(note driver) \| 20[-0-9to ]+\| " \
    'these are the notes of the table'

# Every command works as printed: it draws the same picture.
commands=$(sed -n 's|^<small><code>\(.*\)</code><br>$|\1|p' "$page" |
    sed 's/&gt;/>/g; s/&lt;/</g; s/&quot;/"/g; s/&amp;/\&/g')
is "$(grep -c . <<<"$commands")" "$count" 'each picture has its command'
is "$(grep lanes <<<"$commands")" 'make -C 01_transpose lanes STAGE=stage3 TILE=16' \
    'that of a picture of accesses has the stage and its knobs'
grep -v '^make ' <<<"$commands" >"$TMP/commands"
is "$(cd "$root" && LC_ALL=C.UTF-8 bash -e "$TMP/commands" 2>&1 >/dev/null; echo $?)" 0 'the commands work as printed'
differ=
untitled() { sed 's|<title>[^<]*</title>||g' "$1"; }
for picture in $pictures; do   # svg_title.sh has changed the titles
    [[ $picture = *_lanes_* ]] || cmp -s <(untitled "$root/$picture") <(untitled "$TMP/drawn/$picture") ||
        differ="$differ $picture"
done
is "$differ" '' 'and draw the pictures of the page'

# --- other settings

LADDER_FROM=h200 LADDER_BESIDE=h200 run plots 01_transpose png
ok 'a page of bitmaps' "$root/common/make/gallery.sh"
like "$(cat "$page")" 'src="01_transpose_ladder\.png"' 'the page has what was drawn last'
like "$(cat "$page")" \
    '<code>LADDER_FROM=h200 LADDER_BESIDE=h200 build/ladder figure ladder --week 01_transpose --format png \|' \
    'the command has the settings'
run plots 01_transpose pdf
ok 'a page without a week that was drawn as PDF' "$root/common/make/gallery.sh"
unlike "$(cat "$page")" '01_transpose_ladder' 'a browser does not show them as pictures'

if [ -n "$(browser)" ]; then
    plots 01_transpose >/dev/null && "$root/common/make/gallery.sh" >/dev/null
    # The page reports which pictures did not load, and whether it is wider than the window.
    {
        sed 's|loading="lazy"||; s|</html>||' "$page"
        cat <<'END'
<script>window.onload = () => {
    const missing = [...document.images].filter(i => !i.naturalWidth).map(i => i.alt).join()
    const wider = Math.max(0, document.documentElement.scrollWidth - window.innerWidth)
    document.title = "missing:" + missing + "; wider:" + wider
}</script></html>
END
    } >"$root/plots/out/checked.html"
    browse "$root/plots/out/checked.html" --window-size=400,800
    like "$out" '<title>missing:; wider:0</title>' 'every picture loads in a browser, and 400 pixels are wide enough'
else
    skip 'every picture loads in a browser, and 400 pixels are wide enough' \
        'chromium is not installed (apt-get install chromium)'
fi
done_testing
