#!/bin/sh
# readme.sh README...: puts the output of a command between the marks that name it, for all such marks in the file:
#
#   <!-- begin: awk ... -->
#   <!-- end -->
#
# The command runs in the README's folder. Lines of ``` next to the marks stay. Exits 1, and leaves the file alone, if a command fails.
# With -n it changes nothing, and exits 1 if it would.
dry=
[ "$1" != -n ] || { dry=1; shift; }
log=$(mktemp) || exit 1
trap 'rm -f "$log" "$log.new" "$log.out"' EXIT

status=0
for readme; do
    : >"$log.new"
    inside= failed=
    while IFS= read -r line; do
        case $line in
        '<!-- begin: '*' -->')
            command=${line#<!-- begin: }
            command=${command% -->}
            (cd "$(dirname "$readme")" && sh -c "$command") >"$log.out" 2>"$log" </dev/null || { echo "$readme: '$command' fails:" >&2; cat "$log" >&2; failed=1; }
            printf '%s\n' "$line" >>"$log.new"
            inside=1 fence= ;;
        '<!-- end -->')
            [ -n "$fence" ] || cat "$log.out" >>"$log.new"
            printf '%s\n' "$line" >>"$log.new"
            inside= ;;
        '```'*)
            if [ -n "$inside" ] && [ -n "$fence" ]; then cat "$log.out" >>"$log.new"; fi
            fence=1
            printf '%s\n' "$line" >>"$log.new" ;;
        *) [ -n "$inside" ] || printf '%s\n' "$line" >>"$log.new" ;;
        esac
    done <"$readme"
    if [ -n "$failed" ]; then
        status=1
    elif ! cmp -s "$log.new" "$readme"; then
        if [ -n "$dry" ]; then diff -u "$readme" "$log.new" >&2; status=1; else cat "$log.new" >"$readme"; echo "$readme"; fi
    fi
done
exit $status
