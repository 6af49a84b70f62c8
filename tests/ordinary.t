#!/usr/bin/env bash
# Ordinary submissions: what students hand in, right in many ways and wrong in the usual ones. make grade has to give
# each the points that the pages promise. Each file in tests/exercises/ordinary is graded exactly as its head says:
#
#   // Graded: POINTS STATUS: REGEX of the reason
#
# Line ends, tabs, byte order marks and names that no file of the repository should have are added here. With FULL=1,
# half of the files are graded, each day others, and nvcc compiles every eighth, too; with FULL=2, all: no head names
# what nvcc alone refuses.
. "$(dirname "$0")/lib.sh"
nvcc=${NVCC-$(command -v nvcc || ls /usr/local/cuda/bin/nvcc 2>/dev/null)}
export NVCC=

fresh_tree 01_transpose/for_grading
export EMU_PATIENCE=1
small_course
mk() { make -s DEVICE=cpu "$@"; }
ordinary="$ROOT/tests/exercises/ordinary"
honest="$ROOT/tests/exercises/submissions/honest.cu"

folder="$TMP/week 1, group [a]"
mkdir "$folder"
# Without FULL=1: every sixteenth.
ls "$ordinary"/*.cu | if is_full; then in_turn 2; else awk 'NR % 16 == 0'; fi >"$TMP/files"
mapfile -t files <"$TMP/files"
copy_submissions "${files[@]}" "$folder"
sed 's/$/\r/' "$honest" >"$folder/crlf.cu"
printf '\357\273\277' | cat - "$honest" >"$folder/bom.cu"
printf '\357\273\277' | cat - "$folder/crlf.cu" >"$folder/bom_crlf.cu"
unexpand --first-only -t 4 "$honest" >"$folder/tabs.cu"
printf %s "$(cat "$honest")" >"$folder/no_newline.cu"
{ printf '\n\n\n'; cat "$honest"; printf '\n\f\n\v\n'; } >"$folder/empty_lines.cu"
tr '\n' '\r' <"$honest" >"$folder/old_mac.cu"
{ cat "$honest"; printf '// '; head -c 100000 /dev/zero | tr '\0' x; } >"$folder/long_line.cu"
iconv -f UTF-8 -t UTF-16 "$honest" >"$folder/utf16.cu"
printf '// Gr\374\337e\n' | cat - "$honest" >"$folder/latin1.cu"
names=('two words.cu' "it's mine.cu" 'a "quoted" name.cu' '[1] {a,b} *?.cu' '-n.cu' '--help.cu' 'a=b.cu' '100%.cu'
    '$HOME.cu' 'a;b&c|d.cu' 'Größe.cu' '#1.cu' '~.cu' 'a\b.cu' 'name.with.dots.cu.cu' 'a:b.cu'
    "$(printf 'x%.0s' {1..200}).cu" '=1+1.cu')
is_full || names=("${names[@]:0:3}")
for name in "${names[@]}"; do cp "$honest" "$folder/$name"; done
for name in .hidden.cu notes.txt capital.CU; do cp "$honest" "$folder/$name"; done
touch "$folder/empty.cu"

# --- a folder

ok 'make grade FROM=folder' mk grade N=1 FROM="$folder" OUT="$TMP/points.tsv" SECONDS=5
is "$(points_rows "$TMP/points.tsv" | cut -f 1 | sort)" \
    "$(cd "$folder" && for name in * .hidden.cu; do echo "$(points_name "$name")"; done | sort)" \
    'there is one row per file'
is "$(awk -F '\t' '!/^#/ && NF != 8' "$TMP/points.tsv")" '' 'every row has eight fields'
is "$(for name in .hidden.cu capital.CU notes.txt; do points_row "$TMP/points.tsv" $name; done | cut -f 1-5)" \
    ".hidden.cu	0	9	unreadable	a hidden file
capital.CU	0	9	unreadable	expected the ending .cu
notes.txt	0	9	unreadable	not a .cu file" 'other files are unreadable'
# check_rows FOLDER TABLE: each file of the folder has the row that its head promises
check_rows()
{
    local file name want points most status reason wanted

    for file in "$1"/*.cu; do
        name=${file##*/}
        case $name in
        empty.cu) want='0 uncompiled: ^undefined reference to .transpose' ;;
        utf16.cu) want='0 unreadable: ^not a text$' ;;
        *) want=$(sed -n '1s|^\(\xef\xbb\xbf\)*// Graded: ||p' "$file" | tr -d '\r') ;;
        esac
        [ -n "$want" ] && [ "$name" != old_mac.cu ] || want='9 solved:'
        IFS=$'\t' read -r _ points most status reason _ < <(points_row "$2" "$(points_name "$name")")
        wanted=${want%%:*}
        if [ "$points $most" = "${wanted% *} 9" ] && grep -q -x -E -e "${wanted#* }" <<<"$status" &&
            grep -q -E -e "$(sed 's/^[^:]*: *//' <<<"$want")" <<<"$reason"; then
            pass "$name: $want"
        else
            fail "$name: $want" "got: $points of $most $status: $reason"
        fi
    done
}
check_rows "$folder" "$TMP/points.tsv"

# --- with nvcc, which has to accept what the CPU device does

if is_full && [ -n "$nvcc" ]; then
    mkdir "$TMP/for nvcc"
    printf '%s\n' "$folder"/*.cu | in_turn 8 | while read -r file; do cp -- "$file" "$TMP/for nvcc"; done
    ok 'make grade with nvcc' mk NVCC="$nvcc" grade N=1 FROM="$TMP/for nvcc" OUT="$TMP/nvcc.tsv" SECONDS=5
    check_rows "$TMP/for nvcc" "$TMP/nvcc.tsv"
else
    skip 'submissions are compiled with nvcc, too' 'this needs nvcc and FULL=1'
fi

# --- one file, as a student grades it

for name in iostream $(is_full && echo host_memory long_string); do
    copy_submissions "$ordinary/$name.cu" .
    mv $name.cu exercise1_mine.cu
    ok "make grade N=1 of $name.cu" mk grade N=1
    like "$out" '^   9 of  9  points$' "it prints the points of $name.cu"
done
rm exercise1_mine.cu

# A compiler that is a script, and names the folders of its library itself. With it, everything is built again.
if is_full; then
    mkdir "$TMP/bin" "$TMP/library"
    own=$("${CXX:-g++}" -E -v -x c++ /dev/null 2>&1 |
        sed -n '/^#include </,/^End/s|^ \(/.*c++.*\)|-isystem \1|p' | tr '\n' ' ')
    printf '#!/bin/sh\nexec %s -nostdinc++ %s "$@"\n' "$(command -v "${CXX:-g++}")" "$own" >"$TMP/bin/g++"
    chmod +x "$TMP/bin/g++"
    copy_submissions "$ordinary"/{iostream,long_string}.cu "$TMP/library"
    mk CXX="$TMP/bin/g++" grade N=1 FROM="$TMP/library" OUT="$TMP/library.tsv" >/dev/null 2>&1
    is "$(points_rows "$TMP/library.tsv" | cut -f 1,2 | tr '\t\n' ' ,')" 'iostream.cu 9,long_string.cu 9,' \
        'a compiler that names the folders of its library'
fi

# --- two folders at once: each submission gets its own points

mkdir "$TMP/right" "$TMP/wrong"
copy_submissions "$ordinary/unfinished.cu" "$TMP"
for i in 1 2 3; do cp "$honest" "$TMP/right/$i.cu"; cp "$TMP/unfinished.cu" "$TMP/wrong/$i.cu"; done
mk grade N=1 FROM="$TMP/right" OUT="$TMP/right.tsv" >/dev/null 2>&1 &
mk grade N=1 FROM="$TMP/wrong" OUT="$TMP/wrong.tsv" >/dev/null 2>&1
wait
is "$(points_rows "$TMP/right.tsv" | cut -f 1,2 | tr '\t\n' ' ,')" '1.cu 9,2.cu 9,3.cu 9,' \
    'two gradings at once: right submissions get all points'
is "$(points_rows "$TMP/wrong.tsv" | cut -f 1,2 | tr '\t\n' ' ,')" '1.cu 0,2.cu 0,3.cu 0,' \
    'two gradings at once: wrong submissions get none'
done_testing
