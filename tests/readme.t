#!/usr/bin/env bash
# The pages: links and commands in them work, and tables, examples and pictures are made from the recorded runs.
. "$(dirname "$0")/lib.sh"

fresh_tree $(every_week shared) 01_transpose/core 01_transpose/for_grading
cd "$TREE" || exit 1
pages="README.md CONTRIBUTING.md CHANGELOG.md"
for table in plots/data/h200/*.ladder.tsv; do
    week=${table##*/} week=${week%%.*}
    pages="$pages $(ls "$week"/*.md | paste -s -d ' ')"
done
pages="$pages $(ls docs/*.md | paste -s -d ' ') plots/README.md common/emu/README.md"

# --- links

for page in $(find . -name '*.md' | sort); do
    lost=
    for link in $(links "$page" | sed 's/#.*//' | grep .); do
        [ -e "${page%/*}/$link" ] || lost="$lost $link"
    done
    is "$lost" '' "links of ${page#./} lead to files"
done
for page in CONTRIBUTING.md CHANGELOG.md LICENSE docs/*.md [0-9]*/README.md; do
    like "$(grep -h -o '](\([^)]*\))' README.md)" "\($page[)#]" "README.md has a link to $page"
done

# --- commands, in code blocks and in `code`, one per line

commands()
{
    { sed -n '/^```\(sh\|console\)$/,/^```$/p' $pages; grep -h -o '`[^`]*`' $pages; } |
        sed 's/ *#.*//; s/[`;|]/\n/g; s/&&/\n/g' | sed 's/^ *\$* *//; s/ *$//' | sort -u
}

targets=$(make -s help; for page in $pages; do make -s -C "$(dirname "$page")" DEVICE=cpu help 2>/dev/null; done)
unknown=
for target in $(commands | sed -n 's/^make / /p' |
    sed 's/ [A-Za-z]*="[^"]*"//g; s/ [A-Za-z_0-9]*=[^ ]*//g; s/ -C [^ ]*//g'); do
    name=${target#[0-9][0-9]_*/}
    grep -q -e "^  $name " <<<"$targets" || ls [0-9]*/"$name"_*.cu [0-9]*/"$name".cu 2>/dev/null | grep -q . ||
        grep -h -q -e "make new N=${name#stage} " -e "${name}_[a-z]*\.cu" $pages || unknown="$unknown $target"
done
is "$unknown" '' 'every make target in a page exists'

help=
for week in $(ladders); do
    ok "$week/stage2 builds" make -s -C "$week" DEVICE=cpu stage2
    help=$help$("$week/stage2" --help)
done
help="$help $(grep -h -o '"--[a-z]*"' common/tool/*.c common/tool/*/*.c | tr '"' ' ')"   # of `ladder`
unknown=
# -f...: of g++; -arch: of nvcc
for option in $(commands | grep -e '^\./stage' -e '^-' | grep -o -e '--*[a-z][a-z-]*' | grep -v -e '^-f' -e '^-arch$' |
    sort -u); do
    grep -q -e "[ ,]$option[ ,]" <<<"$help" || unknown="$unknown $option"
done
is "$unknown" '' 'every option in a page exists'

packages=$(sed -n 's/^sudo apt-get .* install -y --no-install-recommends \(.*\)$/\1/p' README.md)
like "$packages" 'make g\+\+' 'the first command installs packages'
for package in $packages; do
    like "$(cat .ci/run)" "[: ]${package//+/\\+}[: ;]" ".ci/run installs $package"
done
is "$(sed -n 's/^RUN //p' Dockerfile)" \
    "$(sed -n 's/^sudo \(apt-get update\) && sudo \(apt-get install .*\)$/\1 \&\& \2/p' README.md)" \
    'the Dockerfile runs the command of README.md that installs packages'
is "$(sed -n 's/^# *\(docker .*\)/\1/p' Dockerfile | sort)" "$(grep '^docker ' docs/using.md | sort)" \
    'the Dockerfile and docs/using.md have the same docker commands'

is "$(sed -n 's/^version: "\(.*\)"$/\1/p' CITATION.cff)" \
    "$(sed -n 's/^#define LADDER_VERSION "\(.*\)"$/\1/p' common/base/version.h)" \
    'CITATION.cff has the version of the course'
like "$(cat docs/start.md)" "install -y --no-install-recommends ca-certificates git ${packages//+/\\+}\$" \
    'the commands for Windows install the same packages, and git'
like "$(cat .devcontainer/devcontainer.json)" '"dockerfile": "\.\./Dockerfile"' \
    'the browser workspace has the image of the Dockerfile'

# The batch file, with a make that prints its arguments.
mkdir "$TMP/bin"
printf '#!/bin/sh\necho "$@"\n' >"$TMP/bin/make"
chmod +x "$TMP/bin/make"
batch() { PATH=$TMP/bin:$PATH SLURM_CPUS_PER_TASK=8 sh docs/ladder.sbatch "$@"; }
is "$(batch)" '-j 8 RUN=srun --ntasks=1 all
RUN=srun --ntasks=1 run' 'the batch file builds, then runs `make run`'
is "$(batch record TO=a100 | tail -n 1)" 'RUN=srun --ntasks=1 record TO=a100' 'its arguments are those of make'
for target in $(grep -o '^# .*  make .*' docs/ladder.sbatch | sed 's/.*  make //; s/-C [^ ]*//; s/[A-Z]*=[^ ]*//'); do
    like "$targets" "^  $target " "the batch file's example, make $target, exists"
done

# --- the table of hardware, from what the stages need

mkdir hardware
for stage in 1: {2,3,5}:sm_90 8:sm_90a {9,10}:sm_80; do
    number=${stage%:*} needs=${stage#*:}
    printf '%s\n' "// stage$number: x" "${needs:+// Needs: $needs}" '// Expect (cpu, 64): ld_sectors == 1' \
        '// Expect (sm_90, 64): rate > 1' >hardware/stage${number}_x.cu
done
printf '%s\n' '// Expect (H200, 64): rate > 1' '// Expect (H100 or H200, 64): rate > 1' >>hardware/stage8_x.cu
ok 'ladder hardware' build/ladder hardware hardware
is "$(sed 1,2d <<<"$out")" '| no GPU: the CPU device | all | counts | 7 |
| Turing (sm_75) | all but 2 to 10 | times | 0 |
| Ampere, Ada (sm_80 to sm_89) | all but 2 to 8 | times | 0 |
| Hopper: H100, H200 (sm_90) | all | times | 7, and 1 about the H100, and 2 about the H200 |
| Blackwell (sm_100 and later) | all but 8 | times | 0 |' \
    'a row for each kind of hardware has the stages and the claims'
fails 2 'a folder without stages is refused' build/ladder hardware docs
rm -rf hardware

# section PAGE HEADING: the lines of its sh blocks
section() { sed -n "/^## $2\$/,/^## /p" "$1" | sed -n '/^```sh$/,/^```$/p' | grep -v '^```'; }
if is_full; then
    section docs/using.md 'Add a stage' >"$TMP/add.sh"
    ok 'the commands that add a stage work' env DEVICE=cpu sh -e "$TMP/add.sh"
    like "$out" '^stage15 mine' 'the commands run the new stage'
    rm -f 01_transpose/stage15*
fi
section CONTRIBUTING.md 'Add a stage' >"$TMP/add.sh"
ok 'the commands that check a stage work' env DEVICE=cpu sh -e "$TMP/add.sh"
like "$out" '^  holds +stage3: ' 'they judge its claims'
if is_full; then
    section CONTRIBUTING.md 'Add a week' >"$TMP/add.sh"
    ok 'the commands that add a week work' env DEVICE=cpu sh -e "$TMP/add.sh"
    like "$out" '^stage1 naive: ' 'the commands run the stage of the new week'
    like "$out" '^  check +right at ' 'its results are right'
    rm -rf 90_swap
fi

# --- generated blocks and pictures

# Without FULL=1, what programs print only on the pages that a student reads first.
built='README.md docs/start.md'
is_full || for page in $pages; do
    [[ " $built " = *" $page "* ]] ||
        sed -i '/^<!-- begin: .*make .*-->/,/^<!-- end/d' "$page"
done
ok 'generated blocks have the output of their commands (update: make readme)' env PATH="$TREE/build:$PATH" \
    build/ladder readme -n $pages

# Drawings show no data: tests/drawings.t.
pictures=$(sed -n 's|^!\[.*](\(\.\./\)*\(plots/readme/[^)]*\))$|\2|p' $pages | grep -v '/drawing_' | sort -u)
for picture in $(grep _lanes_ <<<"$pictures"); do
    like "$(cat "$picture" 2>&1)" 'ideal 1\).*</text>' "$picture has the accesses of a stage (update: make readme)"
done
for picture in $(grep _trace_ <<<"$pictures"); do
    size=${picture##*_} stage=${picture#*_trace_}
    like "$(cat "$picture" 2>&1)" "<text>${stage%%_*} [^<]* [0-9]+ steps</text>" \
        "$picture has the steps of a block of its stage (update: make readme)"
    like "$(cat "$picture" 2>&1)" "<text>CPU device [^<]* ${size%.svg} " \
        "$picture is of this size (update: make readme)"
done
for picture in $(grep -v -e _lanes_ -e _trace_ <<<"$pictures"); do
    week=$(echo "${picture##*/}" | sed 's/^\([0-9]*_[A-Za-z0-9]*\)_.*/\1/')
    table=plots/data/h200/$week more=
    case $picture in
    *shmoo*|*time_per_element*) table=$table.shmoo.tsv ;;
    *knobs*) table=$table.knobs.tsv ;;
    *overview*) table=plots/data/h200/01_transpose.ladder.tsv more=$(ls plots/data/h200/*.ladder.tsv) ;;
    */model.svg) table=plots/data/model/h200.tsv ;;
    *summation_error*) table=$table.errors.tsv ;;
    *sectors*) table=$table.counts.tsv ;;
    *activity*|*generations*) table=plots/data/cpu/$week.counts.tsv ;;
    *access*|*roofline*|*sawtooth*|*choice*|*accuracy*|*instructions*|*sensitivity*|*occupancy*)
        part=${picture##*_}
        table=$table.${part%.svg}.tsv ;;
    *) table=$table.ladder.tsv ;;
    esac
    for key in device date; do
        value=$(sed -n "s/^# $key: //p" "$table" 2>/dev/null)
        # A picture has the date of its rows, which need not be the date of the whole table.
        [ $key = device ] ||
            value=$({ echo "$value"; for t in $table $more; do cells "$t" date 2>/dev/null; done; } |
                grep . | sort -u | paste -s -d '|')
        like "$(cat "$picture" 2>&1)" "${value:-a recorded $key}" \
            "$picture has the $key of the recorded run (update: make readme)"
    done
done

# --- the end of the first command

if have gnuplot; then
    ok 'make run plots' make DEVICE=cpu run plots STAGES=stage2 ARGS='--size 64'
    page=$(pwd -P)/plots/out/index.html
    is "$(tail -n 1 <<<"$out")" "To see all $(grep -c '<img' "$page") pictures, open $page in a browser." \
        'the last line names the page to open'
    like "$out" '^The report of one stage, 01_transpose/stage2 ' 'before it is a report'
    like "$out" '^  check +right at ' 'of a run'
    like "$out" '^The accesses of this stage: plots/out/01_transpose_lanes_stage2.svg' 'and a picture'
    is "$(grep -c 'figures, ' <<<"$out") $(grep -c 'not drawn' <<<"$out")" \
        "$(($(ladders | wc -w) + 1)) 0" 'the figures are one line per week, and one for all weeks'
    ok 'make clean' make -s clean
    is "$(wc -w <<<"$out") $err" "$(every_week x | wc -l) " 'make clean prints the weeks only'
else
    skip 'make run plots' 'gnuplot is not installed (apt-get install gnuplot-nox)'
fi

done_testing
