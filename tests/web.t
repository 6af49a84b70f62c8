#!/usr/bin/env bash
# The web edition: make web. Every page and program is in it, every link leads somewhere, nothing comes from the
# network, and a week is a folder. Without FULL=1, one week of the course is in it.
. "$(dirname "$0")/lib.sh"
use_ladder
export LADDER
packages='python3-sphinx python3-myst-parser furo python3-sphinx-copybutton'

fails 1 'without Sphinx, make web fails' env PYTHON=/nonexistent/python "$ROOT/common/make/web.sh"
is "$err" "make web needs Sphinx, MyST and Furo: apt-get install $packages" 'it names the packages in one line'
is "$(grep -o "install -y --no-install-recommends .*" "$ROOT/.github/workflows/web.yml" | grep -c " $packages\$")" 1 \
    'the workflow that publishes installs the same packages'
unlike "$(cat "$ROOT/.github/workflows/web.yml")" 'secrets\.' 'the workflow needs no secret'
unlike "$(cat "$ROOT"/docs/web/*.py)" '[0-9][0-9]_[a-z]' 'docs/web names no week'

python=
for name in ${PYTHON:-python3 /usr/bin/python3}; do
    [ -n "$python" ] || ! "$name" -c 'import sphinx, myst_parser, furo' 2>/dev/null || python=$name
done
[ -n "$python" ] || { skip 'the web edition' "Sphinx is not installed (apt-get install $packages)"; done_testing; }

# A week that is only a folder, with everything that pages may contain.
tree="$TMP/the tree"
copy_sources "$tree"
cd "$tree" || exit 1
if ! is_full; then
    rm -rf 0[2-9]_*
    find . -name '*.md' -exec sed -i -E 's#\]\(((\.\./)*)0[2-9]_[a-z]+[^)]*\)#](\101_transpose/README.md)#g' {} +
fi
mkdir -p 77_scan/exercises plots/out/slides
touch 77_scan/Makefile
printf '// stage1: naive scan: each thread adds\n__global__ void scan_kernel() {}\n' >77_scan/stage1_naive.cu
sed 's/^.. exercise1: swizzle/\/\/ exercise1: shift/' 01_transpose/exercises/exercise1_swizzle.cu \
    >77_scan/exercises/exercise1_shift.cu
# The file that make slides writes, where it writes it.
echo deck >plots/out/slides/77_scan_lecture1.pdf
echo '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><rect width="9" height="9"/></svg>' >77_scan/own.svg
cp 77_scan/own.svg plots/out/77_scan_drawn.svg
{
    cat <<'END'
# Week 77: scan

The rate is 98
% of the peak, 1--2, `a`{b}, see[^note] and [stage 1](stage1_naive.cu), [below](#stage-1-naive),
[the tasks](exercises), as in [3], [sectors](../docs/glossary.md#sector).
<!-- a comment -->

## The ladder

<details><summary>Answer</summary>

A **fold-out** with [a link](../README.md).
</details>

| a | b |
|---|--:|
| cell | 1 |

![A picture](own.svg)

[^note]: A footnote.

### Stage 1: naive

Text with a footnote[^note]. An error of $u \sqrt{n}$, at $5 or $ 6.

```math
\frac{a}{b}
```

END
    for section in 2 3 4; do printf '### Stage %s\n\n' $section; yes 'word word word word' | head -n 200; echo; done
    printf '## Sources\n\nBooks.\n'
} >77_scan/README.md

# CPU time, in units of a loop of Python's, one second on an idle core of 2020: where other programs share the core and
# its caches, both take longer.
timed_web() { (TIMEFORMAT=%3U; time common/make/web.sh 2>&3) 3>&2 2>"$TMP/seconds"; }
loop() {
    (TIMEFORMAT=%3U; time "$python" -c '
n = 0
for i in range(15_000_000):
    n += i & 3') 2>&1
}
before=$(loop)
export EDIT_URL=https://example.org/edit
ok 'make web' timed_web
is "$err" '' 'it prints no warning'
after=$(loop) web=$(<"$TMP/seconds")
holds 'it takes as much CPU time as 1 to 30 such loops' "${web/./}" -ge "${before/./}" -a "${web/./}" \
    -le "$((30 * (10#${before/./} > 10#${after/./} ? 10#${before/./} : 10#${after/./})))"
html=build/web/html
like "$out" '^build/web/html/index.html: [0-9]+ pages$' 'it prints the first page'

lost=
for page in $(find . \( -name build -o -path ./tests/fixture -o -name '.?*' \) -prune -o -name '*.md' -print); do
    read -r first <"$page"
    name=${page%.md}
    [ "${first#%}" != "$first" ] || [ -s "$html/${name/%README/index}.html" ] || lost="$lost $page"
done
is "$lost" '' 'every page of the repository is in the web edition'
lost=
for program in [0-9]*/{stage,ref_,demo_,exercises/}*.cu; do
    [ -s "$html/$program.html" ] || lost="$lost $program"
done
is "$lost" '' 'every program has a page with its source'
like "$(cat "$html/01_transpose/stage3_padding.cu.html")" '<span class="n">transpose_tile</span>' \
    'sources are highlighted'
like "$(cat "$html/01_transpose/exercises/exercise1_swizzle.cu.html")" 'TODO' 'the page of an exercise shows the task'
unlike "$(cat "$html"/*/exercises/*.html)" 'SOLUTION|Hint:|Answer: [a-h]' \
    'and neither the solution nor the hints, nor the answers'
ok 'there is an index for the search' grep -q swizzl "$html/searchindex.js"
like "$(cat "$html/77_scan/index.html")" 'href="https://example.org/edit/77_scan/README.md"' \
    'EDIT_URL adds a link for editing'
is "$(cat "$html"/files/plots/out/slides/77_scan_lecture1.pdf)" deck 'decks that were made can be downloaded'
like "$(cat "$html/figures/77_scan.html")" 'src="../pictures/plots/out/77_scan_drawn.svg"' \
    'the gallery has figures that were drawn on this machine'

# Each link and picture of each page leads to a file of the site, and to an anchor of it; scripts, styles, pictures and
# fonts are in the site.
cat >"$TMP/check.py" <<'END'
import html.parser, os, re, sys, urllib.parse
root, pages, links = sys.argv[1], {}, []
class Reader(html.parser.HTMLParser):
    def handle_starttag(self, tag, attributes):
        a = dict(attributes)
        self.ids.update(filter(None, [a.get("id"), a.get("name")]))
        for key in ("href", "src", "srcset", "poster", "data"):
            if a.get(key) and not (tag == "link" and a.get("rel") in ("canonical",)):
                links.append((self.page, tag, a[key]))
for folder, _, files in os.walk(root):
    for file in files:
        path = os.path.join(folder, file)
        if file.endswith(".html"):
            reader = Reader()
            reader.page, reader.ids = path, set()
            reader.feed(open(path, encoding="utf-8").read())
            pages[path] = reader.ids
        elif file.endswith(".css"):
            if re.search(r"url\(['\"]?(https?:)?//|@import\s", open(path, encoding="utf-8").read()):
                print(path, "loads from the network")
for page, tag, link in links:
    if re.match(r"[a-z]+:|//", link):
        if tag != "a" and not link.startswith("data:"):
            print(page, "loads", link)
        continue
    path, _, anchor = urllib.parse.unquote(link.partition("?")[0] if "#" not in link else link).partition("#")
    path = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
    if not os.path.exists(path):
        print(page, "no file", link)
    elif anchor and path in pages and anchor not in pages[path] and not anchor.startswith("svg-"):
        print(page, "no anchor", link)
print(len(pages) > 100 and len(links) > 10000)
END
is "$("$python" "$TMP/check.py" "$html" 2>&1)" True \
    'every link leads to a page and anchor of the site, and nothing is loaded from the network'

# --- the week

page=$html/77_scan/index.html
like "$(cat $html/index.html)" 'href="77_scan/index.html">Week 77: scan' 'a new folder is a week of the contents'
like "$(cat $page)" '^% of the peak, 1--2, <code.*>a</span></code>\{b\}, see' \
    'GitHub renders a page as the web edition does: no syntax of MyST'
unlike "$(cat $page)" 'a comment' 'comments are omitted'
like "$(cat $page)" 'A footnote' 'a footnote is on the page that refers to it'
like "$(cat $html/77_scan/stage-1-naive.html)" 'A footnote' 'and on the other one'
like "$(tr -d '\n' <$html/77_scan/stage-1-naive.html)" '<math[^>]*>.*<msqrt>.*\$5 or \$ 6.*<math[^>]*>.*<mfrac>' \
    'a formula is MathML, in a line and as a block, and a price is none'
like "$(cat $page)" 'href="stage1_naive.cu.html"' 'a link to a program leads to its source'
like "$(cat $page)" 'href="stage-1-naive.html"' 'a link to a heading leads to the page of its section'
like "$(cat $page)" 'href="exercises/files.html"' 'a link to a folder leads to a list of its files'
like "$(cat $page)" 'href="sources.html">\[3\]</a>' 'the number of a source leads to the sources of the page'
like "$(cat $page)" 'href="../docs/glossary.html#sector"' 'a link to a term leads to the glossary'
ladder=$html/77_scan/the-ladder.html
like "$(cat $ladder)" '^<details><summary>Answer</summary>' 'fold-outs are rendered'
like "$(cat $ladder)" '<strong>fold-out</strong> with <a [^>]*href="../index.html"' 'and the Markdown within them'
like "$(cat $ladder)" '<div class="table-wrapper' 'a table scrolls in its box'
like "$(cat $ladder)" '<a class="picture" href="../pictures/77_scan/own.svg">' 'a picture leads to its file'
like "$(cat $html/77_scan/stage-1-naive.html)" '<a class="next-page" href="stage-2.html">' \
    'a page leads to the next one'
like "$(cat $html/77_scan/stage-2.html)" '<a class="prev-page" href="stage-1-naive.html">' 'and to the previous one'
like "$(cat $html/77_scan/programs.html)" 'naive scan: each thread adds' 'the list of programs shows their first lines'

if [ -n "$(browser)" ]; then
    browse "$PWD/$html/search.html?q=swizzle"
    like "$out" 'href="[^"]*01_transpose/part3_vectors' 'the search works in a browser without a server'
    click='<script>onload = () => document.querySelector("a.picture").click()</script>'
    sed "s|</body>|$click&|" "$ladder" >"${ladder%/*}/clicked.html"
    browse "$PWD/${ladder%/*}/clicked.html"
    like "$out" '<div class="enlarged"><img src="[^"]*/own.svg"' 'a picture that was clicked covers the page'
else
    skip 'the search and the pictures work in a browser without a server' \
        'chromium is not installed (apt-get install chromium)'
fi

# --- faults

printf '\n[a](none.cu) [b](#none) [c](../docs/glossary.md#none) [d](../../..)\n' >>77_scan/README.md
line=$(grep -c '' 77_scan/README.md)
echo 'No heading.' >docs/untitled.md
rm -rf 0[2-4]_*   # fewer pages take less time
fails 1 'a broken link fails the build' common/make/web.sh
is "$(grep -c "^77_scan/README.md:$line: the link to .* is broken: " <<<"$err")" 4 'with a line for each broken link'
like "$err" '^docs/untitled.md:1: a page starts with a heading' 'and one for a page without a title'
done_testing
