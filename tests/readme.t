#!/usr/bin/env bash
# The pages: links and commands in them work, and tables, examples and pictures are made from the recorded runs.
. "$(dirname "$0")/lib.sh"

fresh_tree $(every_week shared) 01_transpose/all
cd "$TREE" || exit 1
recorded=plots/data/h200/01_transpose
pages=README.md
for table in plots/data/h200/*.ladder.tsv; do
    week=${table##*/} week=${week%%.*}
    for page in "$week/README.md" "$week/NOTES.md"; do
        [ -e "$page" ] && pages="$pages $page"
    done
done
for page in docs/*.md; do
    [ -e "$page" ] && pages="$pages $page"
done

# --- links

for page in $(find . -name '*.md' | sort); do
    lost=
    for link in $(sed 's/<!--.*-->//' "$page" | grep -o '](\([^)]*\))' | sed 's/^](//; s/)$//; s/#.*//' | grep -v -e '^https\?:' -e '^$'); do
        [ -e "$(dirname "$page")/$link" ] || lost="$lost $link"
    done
    is "$lost" '' "links of ${page#./} lead to files"
done

# --- commands, in code blocks and in `code`, one per line

commands()
{
    { sed -n '/^```\(sh\|console\)$/,/^```$/p' $pages; grep -h -o '`[^`]*`' $pages; } | sed 's/ *#.*//; s/[`;|]/\n/g; s/&&/\n/g' | sed 's/^ *\$* *//; s/ *$//' | sort -u
}

help=$(make -s help; for page in $pages; do make -s -C "$(dirname "$page")" DEVICE=cpu help; done)
unknown=
for target in $(commands | grep '^make ' | sed 's/^make//; s/ [A-Za-z]*="[^"]*"//g; s/ [A-Za-z_0-9]*=[^ ]*//g'); do
    name=${target#01_transpose/}
    grep -q -e "^  $name " <<<"$help" || ls [0-9]*/"$name"_*.cu [0-9]*/"$name".cu 2>/dev/null | grep -q . ||
        grep -q "^cp stage.* ${name}_" README.md || grep -h -q "${name}_[a-z]*\.cu" $pages || unknown="$unknown $target"
done
is "$unknown" '' 'every make target in a page exists'

help=
for week in [0-9][0-9]_*; do
    ok "$week/stage2 builds" make -s -C "$week" DEVICE=cpu stage2
    help=$help$("$week/stage2" --help)
done
unknown=
for option in $(commands | grep -e '^\./stage' -e '^-' | grep -o -e '--*[a-z][a-z-]*' | sort -u); do
    grep -q -e "[ ,]$option[ ,]" <<<"$help" || unknown="$unknown $option"
done
is "$unknown" '' 'every option in a page exists'

packages=$(sed -n 's/^sudo apt-get .* install -y --no-install-recommends \(.*\) && make run plots$/\1/p' README.md)
like "$packages" 'make g\+\+' 'the first command installs packages'
for package in $packages; do
    like "$(cat .ci/run)" "[: ]${package//+/\\+}[: ;]" ".ci/run installs $package"
done
like "$(grep '^docker run' README.md)" "no-install-recommends ${packages//+/\\+} && make run plots" 'the container installs the same packages'

sed -n '/^## Add a stage/,/^## make/p' README.md | sed -n '/^```sh$/,/^```$/p' | grep -v '^```' >"$TMP/add.sh"
ok 'the commands that add a stage work' env DEVICE=cpu sh -e "$TMP/add.sh"
like "$out" '^stage12 mine' 'the commands run the new stage'
rm -f 01_transpose/stage12*

# --- generated blocks and pictures

ok 'generated blocks have the output of their commands (update: make readme)' env PATH="$TREE/build:$PATH" build/ladder readme -n $pages

# Drawings show no data: tests/drawings.t.
for picture in $(sed -n 's|^!\[.*](\(\.\./\)*\(plots/readme/[^)]*\))$|\2|p' $pages | grep -v '/drawing_' | sort -u); do
    week=$(echo "${picture##*/}" | sed 's/^\([0-9]*_[A-Za-z0-9]*\)_.*/\1/')
    table=plots/data/h200/$week
    case $picture in
    *shmoo*|*time_per_element*) table=$table.shmoo.tsv ;;
    *knobs*) table=$table.knobs.tsv ;;
    *summation_error*) table=$table.errors.tsv ;;
    *sectors*) table=$table.counts.tsv ;;
    *activity*|*generations*) table=plots/data/cpu/$week.counts.tsv ;;
    *access*|*roofline*|*sawtooth*|*accuracy*|*instructions*|*sensitivity*|*occupancy*) part=${picture##*_} table=$table.${part%.svg}.tsv ;;
    *) table=$table.ladder.tsv ;;
    esac
    for key in device date; do
        value=$(sed -n "s/^# $key: //p" "$table" 2>/dev/null)
        # A picture has the date of its rows, which need not be the date of the whole table.
        [ $key = device ] || value=$({ echo "$value"; cells "$table" date 2>/dev/null; } | grep . | sort -u | paste -s -d '|')
        like "$(cat "$picture" 2>&1)" "${value:-a recorded $key}" "$picture has the $key of the recorded run (update: make readme)"
    done
done

# --- a statement of the pages: the CPU device counts as the hardware does

counts() { build/ladder markdown counts "$1" | grep '^| \[' | grep -v '^| \[stage9 '; }
ok 'make count' make -s -C 01_transpose DEVICE=cpu count
is "$(counts 01_transpose/build/cpu/count.tsv)" "$(counts "$recorded.counts.tsv" 2>&1)" 'the counts of the CPU device equal those of ncu on the GPU'

done_testing
