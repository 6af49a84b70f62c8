#!/bin/sh
# nvcc.sh FILE COMMAND: runs nvcc --resource-usage, keeps what ptxas reports in FILE, for `make regs`, and prints the rest.
file=$1
shift

"$@" >"$file.$$" 2>&1
status=$?
sed '/^ptxas info/d; /^ *[0-9]* bytes stack frame/d' "$file.$$" >&2
if [ $status -eq 0 ]; then mv -f "$file.$$" "$file"; else rm -f "$file.$$"; fi
exit $status
