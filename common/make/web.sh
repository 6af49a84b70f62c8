#!/bin/sh
# web.sh: builds the web edition of the pages in build/web/html, with Sphinx. LADDER names the tool, which writes the
# tasks of the exercises.
cd "${0%/*}/../.." || exit 1
out=$PWD/build/web

for python in ${PYTHON:-python3 /usr/bin/python3} ''; do
    [ -z "$python" ] || ! "$python" -c 'import sphinx, myst_parser, furo' 2>/dev/null || break
done
packages='python3-sphinx python3-myst-parser furo python3-sphinx-copybutton'
[ -n "$python" ] || { echo "make web needs Sphinx, MyST and Furo: apt-get install $packages" >&2; exit 1; }

rm -rf "$out"
for master in [0-9][0-9]_*/exercises/exercise[0-9]*.cu; do
    [ -e "$master" ] || continue
    week=${master%%/*} n=${master#*/exercises/exercise}
    mkdir -p "$out/tasks/$week" && ln -sfn "$PWD/$week/exercises" "$out/tasks/$week/exercises" || exit 1
    (cd "$out/tasks/$week" && LADDER_EXERCISES= "$LADDER" exercise write "${n%%_*}" >/dev/null) || exit 1
done
mkdir -p "$out/pages" || exit 1
"$python" -m sphinx -q -W --keep-going -c docs/web -d "$out/doctrees" "$out/pages" "$out/html" || exit 1
echo "build/web/html/index.html: $(find "$out/html" -name '*.html' | wc -l) pages"
