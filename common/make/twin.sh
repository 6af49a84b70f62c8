#!/bin/sh
# twin.sh COMMAND... -o FILE: runs a compiler, and puts twin_ before the name of each function and variable that the
# object file FILE defines. So it can be linked with another build of the same source.
"$@" || exit
for file; do :; done   # the last argument
nm --defined-only --extern-only "$file" | awk '$2 ~ /^[TWDBR]$/ { print $3, "twin_" $3 }' >"$file.names" &&
    objcopy --redefine-syms="$file.names" "$file"
status=$?
rm -f "$file.names"
exit $status
