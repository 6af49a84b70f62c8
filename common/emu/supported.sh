#!/bin/sh
# Prints the list of supported features for README.md (make readme), from the comments "// Supported: ..." in tests/emu.
cd "$(dirname "$0")" || exit
awk '
    /^ *\/\/ Supported: / { sub(/^ *\/\/ Supported: /, "- "); text = $0; next }
    text != "" && /^ *\/\/ / { sub(/^ *\/\//, ""); text = text $0; next }
    text != "" { print text; text = "" }
' ../../tests/emu/*.cu | sort
