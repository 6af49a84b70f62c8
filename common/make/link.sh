#!/bin/sh
# link.sh STAGE ENTRY command...: links a program. If that fails because the stage does not define the week's function,
# prints the declaration from the week's header, ENTRY.h: the linker knows the name only.
stage=$1 entry=$2
shift 2
messages=$("$@" 2>&1)
status=$?
[ -z "$messages" ] || printf '%s\n' "$messages" >&2
if [ $status -ne 0 ] && printf '%s\n' "$messages" | grep -q -w "$entry"; then
    printf 'hint: %s must define exactly what %s.h declares:\n' "$stage" "$entry" >&2
    sed -n "/^EXTERN_C.*[ *]$entry(/{:a;/;/!{N;ba};s/^/    /;s/EXTERN_C //;p}" "$entry.h" >&2
fi
exit $status
