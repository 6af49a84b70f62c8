#!/bin/sh
# extra.sh FOLDER: links the weeks of a folder outside the course into this checkout, and what they need from it into
# the folder, so that all commands find them as if they were here. Links of weeks that are no longer there are removed.
# git does not see them. Run it again after an upgrade.
course=$(cd "${0%/*}/../.." && pwd) folder=$1
[ -d "$folder" ] || { echo "EXTRA=$folder: no such folder; expected one with weeks, such as 90_swap" >&2; exit 2; }
folder=$(cd "$folder" && pwd)
case $folder in "$course" | "$course"/*)
    echo "EXTRA=$folder: expected a folder outside the course" >&2; exit 2 ;;
esac
exclude=$(cd "$course" && git rev-parse --git-path info/exclude 2>/dev/null)
for shared in common build plots docs; do
    mkdir -p "$course/$shared" && ln -sfn "$course/$shared" "$folder/$shared" || exit 1
done
for link in "$course"/[0-9][0-9]_*; do
    [ ! -L "$link" ] || [ -e "$link/Makefile" ] || rm "$link"
done
n=0
for week in "$folder"/[0-9][0-9]_*/Makefile; do
    [ -e "$week" ] || continue
    week=${week%/Makefile} name=${week%/Makefile} name=${name##*/}
    [ ! -e "$course/$name" ] || [ -L "$course/$name" ] ||
        { echo "EXTRA=$folder: the course has a week $name; rename yours" >&2; exit 2; }
    ln -sfn "$week" "$course/$name" || exit 1
    [ -z "$exclude" ] || (cd "$course" && mkdir -p "${exclude%/*}" &&
        { grep -q -x "/$name" "$exclude" 2>/dev/null || echo "/$name" >>"$exclude"; })
    echo "$name -> $week"
    n=$((n + 1))
done
[ $n -gt 0 ] || { echo "EXTRA=$folder: it has no week; expected a folder such as 90_swap with a Makefile" >&2; exit 2; }
