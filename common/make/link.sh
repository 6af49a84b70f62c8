#!/bin/sh
# link.sh STAGE ENTRY command...: links a program. If that fails because the stage does not define the week's function, prints the
# declaration from the week's header, ENTRY.h: the linker knows the name only.
stage=$1 entry=$2
shift 2
log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT

"$@" 2>"$log"
status=$?
cat "$log" >&2
if [ $status -ne 0 ] && grep -q -w "$entry" "$log"; then
    printf 'hint: %s must define exactly what %s.h declares:\n' "$stage" "$entry" >&2
    sed -n "/^EXTERN_C.*[ *]$entry(/{:a;/;/!{N;ba};s/^/    /;s/EXTERN_C //;p}" "$entry.h" >&2
fi
exit $status
