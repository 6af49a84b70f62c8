#!/usr/bin/env bash
# Files include headers of their own folder and of the folders below it, and no header includes itself by way of others.
. "$(dirname "$0")/lib.sh"
cd "$ROOT/common" || exit 1

# Which folders' headers the files of a folder may include.
rules='base:
table: base
stage: base
model: base emu emu/pass
model/run_file: base model
harness: base table stage emu model
machine: base table harness stage
grade: base table harness emu/pass tool/text tool/runs tool/book
tool/text: base table
tool/runs: base table model tool/text
tool/figures: base table tool/text tool/runs
tool/events: base table tool/text tool/figures
tool/book: base table grade tool/text tool/runs
tool: base tool/text tool/runs tool/figures tool/events tool/book
emu: emu'

# The names of headers are unique, those of the CPU device's include/ apart.
headers=$(find . -name '*.h' ! -path './emu/include/*' | sed 's|^\./||')
# Lines "FILE HEADER".
edges=$(find . -name '*.[ch]' ! -path './emu/*' | sed 's|^\./||' | while read -r file; do
    sed -n 's/^#include "\(.*\)"$/\1/p' "$file" | while read -r name; do
        header=${file%/*}/${name##*/}
        [ -e "$header" ] || header=$(grep "/${name##*/}$" <<<"$headers")
        [ -z "$header" ] || echo "$file $header"
    done
done)
up=$(while read -r file header; do
    from=${file%/*} to=${header%/*}
    case $file in tool/main.c) from=tool ;; esac
    may=$(sed -n "s|^$from:||p" <<<"$rules")
    case " $from$may " in *" $to "*) ;; *) echo "$file includes $header" ;; esac
done <<<"$edges")
is "$up" '' 'a file includes headers of its folder and of those below it only'
cycles=$(awk '{ print $1, $2 } ' <<<"$edges" | grep '\.h .*\.h$' | tsort 2>&1 >/dev/null)
is "$cycles" '' 'no header includes itself by way of others'
like "$edges" '^tool/book/slides\.c tool/book/slides\.h$' 'the includes are found'
done_testing
