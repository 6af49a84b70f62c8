#!/bin/sh
# Writes the list of supported features in README.md from the comments "// Supported: ..." in tests/emu. --list: prints the list only.
cd "$(dirname "$0")" || exit
list=$(awk '
    /^ *\/\/ Supported: / { sub(/^ *\/\/ Supported: /, "- "); text = $0; next }
    text != "" && /^ *\/\/ / { sub(/^ *\/\//, ""); text = text $0; next }
    text != "" { print text; text = "" }
' ../../tests/emu/*.cu | sort)
[ "${1-}" != --list ] || { printf '%s\n' "$list"; exit; }
{
    sed '/^<!-- supported -->/q' README.md
    printf '%s\n' "$list"
    sed -n '/^<!-- end -->/,$p' README.md
} >README.md.new && mv README.md.new README.md
