#!/bin/sh
# link.sh HEADER STAGE command...: links a program. Where that fails because the stage does not define the week's function, says what it
# should look like: the linker knows the name only.
header=$1 stage=$2
shift 2
log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT

"$@" 2>"$log"
status=$?
cat "$log" >&2
if [ $status -ne 0 ]; then
    entry=$("${AWK:-awk}" -v names=1 -f "${0%/*}/prototype.awk" "$header" | head -n 1)   # what follows is the header's own
    if grep -q -w "$entry" "$log"; then
        echo "hint: $stage must define exactly what $header declares:" >&2
        "${AWK:-awk}" -f "${0%/*}/prototype.awk" "$header" | head -n 1 | sed 's/^/    /' >&2
    fi
fi
exit $status
