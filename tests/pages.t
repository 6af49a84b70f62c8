#!/usr/bin/env bash
# The pages of the weeks: their length, and what the section of each core stage has; `ladder code`, which puts lines of
# programs on pages.
. "$(dirname "$0")/lib.sh"
use_ladder

# --- the pages

# Weeks whose pages have this form; the others follow.
split='01_transpose 02_reduction 03_matmul 04_convolution 05_scan'

# section STAGE PAGE...: the lines of its section
section()
{
    awk -v stage="${1#stage}" '
        match($0, /^##+/) {
            if (RLENGTH <= level) level = 0
            if ($0 ~ "^##+ Stage " stage ":") level = RLENGTH
        }
        level' "${@:2}"
}
# order TEXT REGEX...: the first regex that no line after those of the regexes before it matches
order()
{
    awk 'BEGIN { for (n = 1; n < ARGC; n++) wanted[n] = ARGV[n]; ARGC = 1; i = 1 }
        i < n && $0 ~ wanted[i] { i++ }
        END { if (i < n) print wanted[i] }' "${@:2}" <<<"$1"
}
for week in $split; do
    cd "$ROOT/$week" || exit 1
    parts=$(ls -v part[1-9]*_*.md)
    # Slides are not seen by readers.
    seen() { sed '/^<!-- slide: /,/-->$/d' "$1" | wc -l; }
    holds "$week: README.md has at most 150 lines" "$(seen README.md)" -le 150
    is "$(for page in $parts; do [ "$(seen "$page")" -le 400 ] || echo "$page"; done)" '' \
        "$week: a part has at most 400 lines"
    is "$(for page in $parts RESULTS.md; do grep -q -F "]($page)" README.md || echo "$page"; done)" '' \
        "$week: README.md has a link to every page of the week"
    is "$(for page in $(grep -l '^<!-- numbers ([^c]' ./*.md); do
        sed '/^## /q' "$page" | sed '/^<!--/,/-->/d' | grep -q 'H[12]00' || echo "$page"; done)" '' \
        "$week: a page with measured numbers says which GPU they are of, before its first section"
    is "$(sed -n '1,60p' part1_*.md | grep -c -m 1 '^##* Stage ')" 1 \
        "$week: the first stage is within the first 60 lines of part 1"
    core=$(sed -n 's/^core: //p' messages)
    sections=$(sed -n 's/^##* Stage \([0-9]*\):.*/stage\1/p' $parts)
    is "$(grep -x -F -e "${core// /$'\n'}" <<<"$sections" | paste -s -d ' ')" "$core" \
        "$week: every core stage has one section, in the order of the core ladder"
    for stage in $core; do
        is "$(order "$(section "$stage" $parts)" '^\*\*Predict\.\*\*' \
            "^<!-- begin: ladder code [^>]*$stage[ _]" '^\*\*How it works\.\*\*' '^\*\*Result\.\*\*' \
            "^<!-- begin: ladder markdown steps [^>]*$stage\"" '^\*\*Question' '^<details>')" '' \
            "$week: $stage has a prediction, its code, how it works, its result and a question"
    done
done

# --- the problems

problems=$ROOT/docs/problems.md
is "$(sed -n 's/^### \([0-9.]*\) .*/\1/p' "$problems" | paste -s -d ' ')" \
    "$(echo 1.{1..10} 2.{1..11} 3.{1..15} {4..6}.{1..10})" \
    'docs/problems.md has ten problems per week, one more in week 2, five more in week 3, and ten about the machine'
# Each problem names the page after which it can be solved. Its answer is folded, and has results, in bold. Each number
# of a result is in a comment from which it is computed, counted or printed; `numbers from` is for what a problem gives.
is "$(awk '
    function problem_end() {
        if (!name) return
        if (text !~ /^After \[[^]]*\]\((\.\.\/0|machine\.md)/) print name ": names no page"
        if (folded != 1) print name ": " folded + 0 " folded answers"
        if (!results) print name ": no result"
        for (n in result) if (!(n in computed)) print name ": " n " is not computed"
    }
    /^### / { problem_end(); name = $2; text = ""; folded = results = answer = 0; delete result; delete computed; next }
    /^## /  { problem_end(); name = "" }
    !name || /^$/ { next }
    /^<!-- numbers/ {
        if (/^<!-- numbers from/) next
        line = $0; sub(/^<!-- numbers [^:]*: */, "", line); sub(/ -->$/, "", line)
        if (/printed by/) { sub(/.*: */, "", line); gsub(/,/, ";", line) }
        k = split(line, item, /; */)
        for (i = 1; i <= k; i++) { sub(/ *=.*/, "", item[i]); computed[item[i]] }
        next
    }
    /^<details>/ { folded++; answer = 1 }
    !text { text = $0 }
    answer { bold = bold " " $0 }
    /^<\/details>/ {
        k = split(bold, part, /\*\*/); bold = ""
        for (i = 2; i <= k; i += 2) {
            results++
            m = split(part[i], word, /[ ,%]+/)
            for (j = 1; j <= m; j++) if (word[j] ~ /^[0-9]/) result[word[j]]
        }
    }
    END { problem_end() }' "$problems")" '' 'each problem names a page, and each result of its answer is computed'

# --- ladder code

mkdir -p "$TMP/root/build" "$TMP/root/08_code"
cp "$LADDER" "$TMP/root/build/ladder"
cd "$TMP/root/08_code" || exit 1
LADDER=$TMP/root/build/ladder
cat >stage1_one.cu <<'END'
// stage1: one thread
// of each block
#include "code.h"

#define TILE 32

__global__ void code(int *a)
{
    // in order
    for (int i = 0; i < TILE; i++)
        slow(a);   // beside code

    end(a);
}

void launch(int *a)
{
    code<<<1, 1>>>(a);
}
END
sed 's/slow(a)/fast(a, i)/; s/in order/in any order/; s/one thread/all threads/' stage1_one.cu >stage2_two.cu
sed 's/<<<1, 1>>>/<<<1, 32>>>/; s/^\/\/ of.*/\/\/ From: stage1/; s/TILE 32/TILE 64/' stage1_one.cu >stage3_three.cu
echo 'core: stage1 stage3' >messages
cat >help.h <<'END'
// A header
#ifndef H
#define H
__device__ void help(int a)
{
    if (a) {
        b();
    } else {
        c();
    }
}
#endif
END
# shows NAME WANT ARGUMENT...: ladder code prints these lines
shows() { ok "$1" "$LADDER" code "${@:3}"; is "$out" "$2" "$1: the lines"; }
shows 'the kernel of a stage' '__global__ void code(int *a)
{
    // in order
    for (int i = 0; i < TILE; i++)
        slow(a);   // beside code

    end(a);
}' stage1
shows 'without comments of whole lines' '__global__ void code(int *a)
{
    for (int i = 0; i < TILE; i++)
        slow(a);   // beside code

    end(a);
}' --bare stage1
shows 'a statement' 'for (int i = 0; i < TILE; i++)
    slow(a);   // beside code' stage1 'for (int'
shows 'a directive' '#define TILE 32' stage1 TILE
shows 'a function of a header' '__device__ void help(int a)
{
    if (a) {
        b();
    } else {
        c();
    }
}' help.h help
shows 'if and else are one statement' 'if (a) {
    b();
} else {
    c();
}' ./help.h 'if ('
shows 'a number of lines' '        slow(a);   // beside code

    end(a);
}' stage1 'slow(' 3
shows 'the lines that a stage changes, each with two lines before and after it' '  __global__ void code(int *a)
  {
-     // in order
+     // in any order
      for (int i = 0; i < TILE; i++)
-         slow(a);   // beside code
+         fast(a, i);   // beside code

      end(a);
  }' --changes stage2
shows 'the new lines' '  {
      for (int i = 0; i < TILE; i++)
+         fast(a, i);   // beside code

      end(a);
  }' --new --bare stage2
shows 'a region with its changed lines' '- slow(a);   // beside code
+ fast(a, i);   // beside code' --changes stage2 fast
shows 'against the stage that the head names' '- #define TILE 32
+ #define TILE 64

  __global__ void code(int *a)
  {
  ...
  void launch(int *a)
  {
-     code<<<1, 1>>>(a);
+     code<<<1, 32>>>(a);
  }' --changes stage3
shows 'against another stage' '- fast(a, i);   // beside code
+ slow(a);   // beside code' --changes --of stage2 stage3 'slow('
cd .. || exit 1
shows 'a stage in another folder' 'end(a);' 08_code/stage1_one.cu 'end('
shows 'its changes' '- slow(a);   // beside code
+ fast(a, i);   // beside code' --changes 08_code/stage2_two.cu fast
cd 08_code || exit 1
refused "'stage9': expected a stage of this folder, for example stage1, or the path of a program" "$LADDER" code stage9
refused "'none.h': expected a stage" "$LADDER" code none.h
refused "stage1_one.cu has no line with 'slower'" "$LADDER" code stage1 slower
refused "stage1 slow 'x': expected a number of lines" "$LADDER" code stage1 slow x
refused 'there is no stage before stage1; --of STAGE' "$LADDER" code --changes stage1
refused 'help.h is not a stage; --of STAGE' "$LADDER" code --changes help.h
refused 'stage1_one.cu changes no line of .*stage1_one.cu' "$LADDER" code --changes --of stage1 stage1
refused 'expected \[--changes' "$LADDER" code
refused 'expected \[--changes' "$LADDER" code --of stage1 stage2

# --- ladder markdown steps

mkdir -p ../plots/data/mygpu
tabbed() { printf '%s\t' "${@:1:$#-1}"; printf '%s\n' "${!#}"; }
{
    printf '# %s\n' 'device: NVIDIA MyGPU' 'date: 2026-01-01' 'base: ref_best'
    tabbed week stage name device size mode status median_us rate unit bytes peak_gbs
    tabbed 08_code stage1 one MyGPU 1024 cold ok 8 2 GB/s 1000 1
    tabbed 08_code stage2 two MyGPU 1024 cold ok 4 4 GB/s 1000 1
    tabbed 08_code stage3 three MyGPU 1024 cold ok 2 8 GB/s 1000 1
    tabbed 08_code stage3 three MyGPU 64 cold ok 1 4 GB/s 500 1
    tabbed 08_code ref_best best MyGPU 1024 cold ok 1 16 GB/s 1000 1
} >../plots/data/mygpu/08_code.ladder.tsv
# steps NAME WANT ARGUMENT...: the rows of the table
steps()
{
    ok "$1" "$LADDER" markdown steps "${@:3}" 08_code.ladder
    is "$(sed '/^|--/d; s/\[\(stage[0-9]*\)[^)]*)/\1/; s/  */ /g' <<<"$out")" "$2" "$1: the rows"
}
steps 'the stages so far' '| 2^10, cold | GB/s | step | total | of best |
| stage1 | 2.0 | | | 12.5 % |
| stage2 | 4.0 | 2.00 | 2.00 | 25.0 % |
| stage3 | **8.0** | 2.00 | 4.00 | 50.0 % |' --at 1024/cold --of ref_best --stages 'stage1 stage2 stage3'
steps 'two rows have no total; the core ladder, of the limit' '| 2^10, cold | GB/s | step | of the limit |
| stage1 | 2.0 | | 12.5 % |
| stage3 | **8.0** | 4.00 | 50.0 % |' --at 1024/cold --of limit --stages core
steps 'two sizes' '| GB/s | 2^10, cold | step | 64, cold | step |
| stage2 | 4.0 | | - | |
| stage3 | **8.0** | 2.00 | **4.0** | |' --at '1024/cold 64/cold' --of limit --stages 'stage2 stage3'
# --- commands that need a GPU

cd "$ROOT" || exit 1

# gpu_commands PAGE: paragraphs, and items of lists, that name one of $gpu_demos and do not say that it needs a GPU
gpu_demos=$(grep -l 'SKIP: .*not measure time' [0-9]*/demo_*.cu | sed 's|.*/||; s|\.cu$||' | paste -s -d '|')
like "$gpu_demos" 'demo_events.*demo_roofs' 'the demonstrations that the CPU device skips are found'
gpu_commands()
{
    awk -v demos="[/ ]($gpu_demos)([^a-z_]|$)" -v page="$1" '
        function judge() { if (text ~ demos && text !~ /needs? a GPU/) print page ":" at; text = "" }
        /^```/ { block = !block }
        /<!--/ { hidden = 1 }
        !block && !hidden { if (/^$/ || /^ *- / || /^#/) judge(); if (text == "") at = NR; text = text " " $0 }
        /-->/ { hidden = 0 }
        END { judge() }' "$1"
}
# docs/borrowed.md is about a machine with a GPU.
is "$(for page in README.md $(ls docs/*.md | grep -v borrowed) [0-9]*/*.md; do gpu_commands "$page"; done)" '' \
    'a page says "(needs a GPU)" beside each demonstration that the CPU device skips'
printf 'Measure it.\n\n- `make demo_events`: times\n- `make demo_roofs` (needs a GPU)\n' >"$TMP/page.md"
is "$(gpu_commands "$TMP/page.md")" "$TMP/page.md:3" 'one that is missing is found'

# A row of the table of exercises is "| 4 |" or "| 14 to 17 |".
listed()
{
    sed -n -E 's/^\| ([0-9]+)( to ([0-9]+))? \| .*/\1 \3/p' "$1/README.md" |
        while read -r first last; do seq "$first" "${last:-$first}"; done
}
is "$(for week in [0-9]*_*; do
    diff <(listed "$week" | sort) \
        <(ls "$week/exercises" | sed -n 's/^exercise\([0-9]*\)_.*/\1/p' | sort) | sed "s|^|$week |"
done)" '' 'the README of a week lists its exercises'

done_testing
