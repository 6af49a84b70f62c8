#!/bin/sh
# nvcc.sh FILE COMMAND: runs nvcc --resource-usage, keeps what ptxas reports in FILE, for `make regs`, and prints the
# rest. ptxas only informs that it serializes wgmma, at half the rate or less: messages C7510 to C7519. That fails the
# build.
file=$1
shift

"$@" >"$file.$$" 2>&1
status=$?
if grep 'ptxas info.*(C751[0-9])' "$file.$$" >&2; then status=1; fi
sed '/^ptxas info/d; /^ *[0-9]* bytes stack frame/d' "$file.$$" >&2
if [ $status -eq 0 ]; then mv -f "$file.$$" "$file"; else rm -f "$file.$$"; fi
exit $status
