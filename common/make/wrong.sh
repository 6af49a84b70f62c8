#!/bin/sh
# wrong.sh NAME: builds and checks the kernel tests/wrong/WEEK/NAME.cu, which has one fault, as a stage of the week's
# folder, and removes it again. Prints the report. Exit status 0 if the check finds the fault. Runs in the week's
# folder, with the settings that targets.mk exports.
folder=${0%/*}/../../tests/wrong/$LADDER_WEEK name=$1
[ -n "$name" ] && [ -f "$folder/$name.cu" ] || {
    echo "wrong: NAME='$name': expected one of:" $(cd "$folder" 2>/dev/null && ls *.cu | sed 's/\.cu$//') >&2
    exit 2
}
trap 'rm -f stage998_*.cu stage998 "$LADDER_BUILD"/stage998*' EXIT
trap 'exit 1' INT TERM
cp "$folder/$name.cu" "stage998_$name.cu" && $LADDER_MAKE -s stage998 || exit
EMU_PATIENCE=${EMU_PATIENCE:-1} $LADDER_RUN "$LADDER_BUILD/stage998" --check --quick >"$LADDER_BUILD/wrong.log" 2>&1
status=$?
sed "s/stage998_$name\.cu/$name.cu/g; s/stage998/$name/g" "$LADDER_BUILD/wrong.log"
[ $status != 0 ] || { echo "wrong: the check on this device finds no fault in $name"; exit 1; }
