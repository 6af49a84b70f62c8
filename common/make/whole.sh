#!/bin/sh
# whole.sh FILE... -- COMMAND: runs the command, which creates the files, with a temporary name in place of each, and
# renames them if it succeeds. So concurrent makes never read a partly written file.
id=$$ files=
while [ "$1" != -- ]; do
    files="$files $1"
    shift
done
shift
before=
for word; do
    shift
    for file in $files; do   # -MT: the dependency file has the target's real name
        [ "$before" = -MT ] || [ "$word" != "$file" ] || word=$file.$id
    done
    set -- "$@" "$word"
    before=$word
done

"$@"
status=$?
for file in $files; do
    if [ $status -eq 0 ] && [ -e "$file.$id" ]; then mv -f "$file.$id" "$file"; else rm -f "$file.$id"; fi
done
exit $status
