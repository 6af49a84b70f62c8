#!/bin/sh
# wrong.sh BUILD NAME: builds and checks the kernel tests/wrong/WEEK/NAME.cu, which has one fault, as a stage of the
# week's folder, and removes it again. Prints the report. Exit status 0 if the check finds the fault. Runs in the week's
# folder; MAKE builds, RUN is a prefix of every run, BUILD the folder of the programs.
build=$1 name=$2 folder=${0%/*}/../../tests/wrong/${PWD##*/}
[ -n "$name" ] && [ -f "$folder/$name.cu" ] || {
    echo "wrong: NAME='$name': expected one of:" $(cd "$folder" 2>/dev/null && ls *.cu | sed 's/\.cu$//') >&2
    exit 2
}
trap 'rm -f stage998_*.cu stage998 "$build"/stage998*' EXIT
trap 'exit 1' INT TERM
cp "$folder/$name.cu" "stage998_$name.cu" && $MAKE -s stage998 || exit
EMU_PATIENCE=${EMU_PATIENCE:-1} $RUN "$build/stage998" --check --quick >"$build/wrong.log" 2>&1
status=$?
sed "s/stage998_$name\.cu/$name.cu/g; s/stage998/$name/g" "$build/wrong.log"
[ $status != 0 ] || { echo "wrong: the check on this device finds no fault in $name"; exit 1; }
