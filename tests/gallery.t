#!/usr/bin/env bash
# The gallery: one offline page with every figure of every week, which a browser shows completely.
. "$(dirname "$0")/lib.sh"
have gnuplot || skip_all 'gnuplot is not installed (apt-get install gnuplot-nox)'
use_ladder
root=$TMP/root
mkdir -p "$root/build" "$root/plots/out" "$root/common/make" && cp "$ROOT/common/make/plots.sh" "$root/common/make" && cp "$ROOT/common/make/svg_title.sh" "$root/common/make" && ln -s "$ROOT/common/figures" "$root/common" && cp "$LADDER" "$root/build/ladder" && ln -s "$ROOT"/plots/*.gp "$ROOT/plots/data" "$root/plots"
weeks=
for week in "$ROOT"/[0-9][0-9]_*; do
    week=${week##*/} weeks="$weeks ${week##*/}"
    mkdir "$root/$week" && ln -s "$ROOT/$week"/*.cu "$ROOT/$week/runs" "$ROOT/$week/messages" "$ROOT/$week/figures" "$root/$week"
    (cd "$root/$week" && LADDER=$root/build/ladder "$root/common/make/plots.sh" $week svg >>"$TMP/plots.out" 2>"$TMP/plots.err") && pass "$week: the figures are drawn" || fail "$week: the figures are drawn" "$(cat "$TMP/plots.err")"
done
(cd "$root" && LADDER=$root/build/ladder common/make/plots.sh "${weeks# }" svg >>"$TMP/plots.out" 2>"$TMP/plots.err") && pass 'the figures that compare weeks are drawn' || fail 'the figures that compare weeks are drawn' "$(cat "$TMP/plots.err")"
cd "$TMP" || exit
fails 2 'ladder gallery without weeks is refused' "$root/build/ladder" gallery
ok 'ladder gallery' "$root/build/ladder" gallery $weeks
page=$root/plots/out/index.html
pictures=$(grep -o 'src="[^"]*"' "$page" | sed 's/src="\(.*\)"/\1/')
is "$(sort <<<"$pictures")" "$(ls "$root/plots/out" | grep 'svg$')" 'the page has every figure that was drawn'
for picture in $pictures; do [ -s "$root/plots/out/$picture" ] || fail "$picture exists"; done
is "$(grep -c '<figcaption>[A-Z0-9].*[.]<br>$' "$page")" "$(grep -c '<img' "$page")" 'each figure has one sentence on how to read it'
is "$(grep -c '<code>.*build/ladder \(figure\|overview --figure\) .*</code>' "$page")" "$(grep -c '<img' "$page")" 'each figure has its command'
is "$(grep -c '<small>.*|.*</small>' "$page")" "$(grep -c '<img' "$page")" 'each figure names its device'
unlike "$(cat "$page")" '(https?:)?//' 'the page loads nothing from the network'
browser=
for name in chromium chromium-browser google-chrome chrome; do [ -n "$browser" ] || browser=$(command -v $name); done
if [ -n "$browser" ]; then
    # The page reports which pictures did not load.
    sed 's|</html>|<script>window.onload = () => { document.title = "missing:" + [...document.images].filter(i => !i.naturalWidth).map(i => i.alt).join() + ";" }</script></html>|' "$page" >"$root/plots/out/checked.html"
    run timeout 60 "$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$TMP/profile" --virtual-time-budget=10000 --dump-dom "file://$root/plots/out/checked.html"
    like "$out" '<title>missing:;</title>' 'every picture loads in a browser'
else
    skip 'every picture loads in a browser' 'chromium is not installed (apt-get install chromium)'
fi
done_testing
