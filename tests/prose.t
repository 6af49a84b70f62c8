#!/usr/bin/env bash
# The prose: phrases that must not return, and the glossary, which has each standard term that the stages use.
. "$(dirname "$0")/lib.sh"
cd "$ROOT" || exit 1

# hits FILE...: "file:line: phrase: instead", once per match of tests/data/phrases.txt. Of Markdown, code blocks and
# comments are not read.
hits()
{
    perl - tests/data/phrases.txt "$@" 2>&1 <<'EOF' || echo 'the list of phrases cannot be applied'
use strict;
my ($list, @files) = @ARGV;
my @phrases;
open my $in, '<', $list or die "$list: $!";
while (<$in>) {
    chomp;
    next if /^#/ || !/\S/;
    my ($expression, $instead, $example) = split /\t/;
    die "$list:$.: expected three columns\n" if !defined $example;
    # A blank is any run of blanks, line breaks and comment marks. Comparing lowercase texts is faster than /i.
    (my $spread = $expression) =~ s{ }{(?:\\s|//|#|\\*)+}g;
    $spread =~ s{(\\.)|([A-Z])}{$1 // lc $2}ge;
    push @phrases, [qr/\b(?:$spread)\b/, $instead, $example];
    lc($example) =~ $phrases[-1][0] or print "$list:$.: does not match its example: $example\n";
}
local $/;
for my $file (@files) {
    open my $text, '<', $file or die "$file: $!";
    my $all = <$text>;
    next if !defined $all;
    if ($file =~ /\.md$/) {
        for my $part (qr/^```.*?^```/ms, qr/<!--.*?-->/s) {
            $all =~ s{($part)}{ (my $lines = $1) =~ s/[^\n]//g; $lines }gex;
        }
    }
    $all = lc $all;
    for my $phrase (@phrases) {
        while ($all =~ /$phrase->[0]/g) {
            my $line = 1 + (substr($all, 0, $-[0]) =~ tr/\n//);
            (my $found = $&) =~ s{(?:\s|//|#|\*)+}{ }g;
            print "$file:$line: $found: $phrase->[1]\n";
        }
    }
}
EOF
}

# --- phrases

is "$(hits)" '' 'every phrase of the list matches its example'

# Sentences with similar words that are correct.
cat >"$TMP/correct.txt" <<'EOF'
Each block loads a tile, and each thread stores a row of it. Thread 0 stores a word. One warp loads a tile.
The order of the blocks. The words a warp reads. It holds eight blocks. All blocks are the same size.
They are all the same. Lanes read all the same word.
Lanes access words that are 32 apart. Each thread has its own registers. floorf() rounds down. The minor version.
The way to use it. The instruction declares a pipeline. A wavefront is one pass. Round to nearest.
The values turn out to be equal. Rows without padding.
The claim holds. A string buffer. Instead, the kernel reads a word. The rate of a request. 132 SMs.
The slides say "apron". Optimistic estimates, organisms, parallelism, analysis, the neighbor and the center.
Bytes per thread and cycle. Half of the blocks.
EOF
is "$(hits "$TMP/correct.txt")" '' 'no phrase matches correct sentences'

files=$(find . \( -name build -o -name .git -o -name results -o -name out -o -path ./plots/data \
    -o -path ./plots/readme \) -prune -o -type f -print | sed 's|^\./||' | grep -v '^tests/prose\.t$' | sort |
    grep -E '\.(md|[ch]|cpp|cu|t|sh|mk|awk|gp)$|(^|/)(Makefile|messages|claims|runs)$')
holds 'the prose is found' "$(grep -c . <<<"$files")" -gt 150
folders=$(sed -n 's|^\(common/[^/]*\)/.*|\1|p; s|^\([^/]*\)/.*|\1|p' <<<"$files" | grep -v '^common$' | sort -u)
for folder in . $folders; do
    if [ "$folder" = . ]; then
        these=$(grep -v / <<<"$files")
    else
        these=$(grep "^$folder/" <<<"$files")
    fi
    found=$(hits $these)
    if [ -z "$found" ]; then
        pass "no phrase of the list in ${folder/#./the top folder}"
    else
        fail "no phrase of the list in ${folder/#./the top folder}" "$(grep -c . <<<"$found") matches" "$found"
    fi
done

# --- the glossary

glossary=docs/glossary.md
headings=$(sed -n 's/^### //p' "$glossary")
# key TEXT: what the order of the headings goes by
keys=$(tr '[:upper:]' '[:lower:]' <<<"$headings" | sed 's/[^a-z0-9 ]//g')
holds 'the glossary has at least 60 terms' "$(grep -c . <<<"$headings")" -ge 60
is "$(diff <(echo "$keys") <(sort -u <<<"$keys"))" '' 'its headings are in alphabetical order, each once'
is "$(awk 'function check() { if (term != "" && (n < 2 || n > 5)) print term ": " n " lines" }
    /^##/ { check(); term = /^### / ? substr($0, 5) : ""; n = 0; next }
    NF { n++ }
    END { check() }' "$glossary")" '' 'each entry has two to five lines'

# --- links to headings

cat >"$TMP/headings.md" <<'EOF'
# The lecture says / measured today
## Little's `law` and [a link](other.md)
## Same
## Same
```sh
# No heading
```
[1](#the-lecture-says--measured-today) [2](#littles-law-and-a-link) [3](headings.md#same-1)
[4](#the-lecture-says-measured-today) [5](#same-2) [6](#no-heading) [7](absent.md#same)
EOF
is "$(lost_headings "$TMP/headings.md" | LC_ALL=C sort | paste -s -d ' ')" \
    '#no-heading #same-2 #the-lecture-says-measured-today absent.md#same' \
    'a link to a heading that is not there is found'
for page in $(grep '\.md$' <<<"$files"); do
    if grep -q ']([^):]*#' "$page"; then
        lost_headings "./$page" >"$TMP/lost"
        is "$(<"$TMP/lost")" '' "links of $page to headings lead to headings"
    fi
done

# --- terms: "TERM" or "TERM: HEADING", if the glossary explains it under another one

terms=$(grep -v -e '^#' -e '^=' -e '^$' tests/data/terms.txt)
is "$(sed 's/^[^:]*: //' <<<"$terms" | grep -v -i -x -F -e "$headings")" '' \
    'every standard term has a heading in the glossary'

names=$(sed 's/: .*//' <<<"$terms")
firsts=$(awk 'FNR == 1 { sub("^// *[^:]*: *", ""); print FILENAME ": " $0 }' 0*/stage*.cu)
holds 'the heads of the stages are found' "$(grep -c . <<<"$firsts")" -ge 50
is "$(sed 's/^[^:]*: *//' <<<"$firsts" | grep -v -i -F -e "$names")" '' \
    'the first line of every stage has a standard term'

# Technical words of these lines: with a capital letter or digit inside or at the start, a dot or an underscore inside,
# or a hyphen. A word is explained if it is in a term, or listed as an ordinary word ("= WORD" in tests/data/terms.txt).
words=$(sed 's/^[^:]*: *//' <<<"$firsts" | tr -c '[:alnum:]_.\n-' '\n' | sed 's/^[._-]*//; s/[.-]*$//' |
    grep -e '[A-Z]' -e '[a-z][._][a-z]' -e '[[:alnum:]]-[[:alnum:]]' -e '[a-z][0-9]' | sort -u)
known=$names$'\n'$(sed -n 's/^= //p' tests/data/terms.txt)
unknown=
for word in $words; do
    [[ " ${known,,} " =~ [^a-z0-9_]"${word,,}"[^a-z0-9_] ]] || unknown="$unknown $word"
done
is "$unknown" '' 'every technical word of these lines is a term or listed as an ordinary word'

# --- the plan of the course

for week in $(ladders); do
    part=$(awk -v n="$((10#${week%%_*}))" '/^## / { on = $0 ~ "^## Week " n ":" } on' docs/plan.md)
    numbers()
    {
        grep "^\*\*$1 stages:\*\*" <<<"$part" | sed 's/([^)]*)//g' | grep -o '[0-9][0-9]*' | sort -n | tr '\n' ' '
    }
    core=$(sed -n 's/^core: *//p' "$week/messages" | tr ' ' '\n' | sed 's/stage//' | sort -n | tr '\n' ' ')
    all=$(ls "$week"/stage*.cu | sed 's|.*/stage\([0-9]*\)_.*|\1|' | sort -n | tr '\n' ' ')
    is "$(numbers Core)" "$core" "the plan has the core stages of $week"
    is "$({ numbers Core; numbers Optional; } | tr ' ' '\n' | grep . | sort -n | tr '\n' ' ')" "$all" \
        'and as optional all others'
done
done_testing
