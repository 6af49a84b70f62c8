#!/usr/bin/env bash
# Damaged result tables: each command that reads one refuses it in one line that names file, line, column and what is
# accepted. The undamaged table passes through the same commands first.
. "$(dirname "$0")/lib.sh"
use_ladder
mkdir -p "$TMP/course/build" "$TMP/course/01_x/results/cpu" "$TMP/course/plots/data/kept"
cd "$TMP/course" || exit 1
cp "$LADDER" build/ladder && cp "$ROOT"/plots/*.gp plots && mkdir common && cp "$ROOT/common/figures" common
L=$PWD/build/ladder
export LADDER_FROM=kept
cd 01_x || exit 1
for stage in stage1_a stage2_b; do printf '// %s: a lesson\n#include "x.h"\n' "${stage%_*}" >$stage.cu; done

# table STATUS...: writes a table, and with a sed command damages it
good=$TMP/good.tsv
tr , '\t' >"$good" <<'END'
# device: D
# base: ref_a
# type: float
week,stage,name,type,size,mode,status,median_us,rate,unit,date
01_x,stage1,a,float,64x64,cold,ok,12.5,100,GB/s,2026-01-31
01_x,ref_a,a,float,64x64,cold,ok,10,125,GB/s,2026-01-31
01_x,stage2,b,float,64x64,cold,ok,1e+01,125,GB/s,2026-01-31
01_x,ref_a,a,float,64x64,cold,ok,10,125,GB/s,2026-01-31
END
recorded=../plots/data/kept/01_x.ladder.tsv
damaged() { sed "$1" "$good" >t.tsv; cp t.tsv $recorded; cp t.tsv results/cpu/rows.tsv; }

# The commands that read the table; each prints something about it.
commands=('table t.tsv' 'table --column rate t.tsv' 'markdown rates --at 64x64/cold --of ref_a t.tsv'
    'figure ladder --week 01_x t.tsv' 'figure ladder --week 01_x' 'bounds t.tsv'
    'claims --device gpu t.tsv -- stage1_a.cu' 'progress --device cpu stage1_a.cu stage2_b.cu'
    'markdown times --at 64x64/cold t.tsv')
damaged ''
for command in "${commands[@]}"; do
    damaged ''
    ok "an undamaged table: $command" "$L" $command
    damaged 's/$/\r/'
    ok "a table with CRLF line ends: $command" "$L" $command
done

# Each damage, and what the one line of each command says.
long=$(head -c 100000 /dev/zero | tr '\0' a)
damages=(
    '5s/\tfloat\t/\t/ => tsv:5: 10 fields; expected one for each of the 11 columns'
    '5,$s/\t[^\t]*\t[^\t]*\t[^\t]*\t[^\t]*$// => tsv:5: 7 fields; expected one for each of the 11 columns'
    '5s/\t/\t\t/g => tsv:5: 21 fields'
    '5s/$/\t/ => tsv:5: 12 fields'
    '4s/mode\t/kind\t/ => tsv: has no column .mode. in line 4; expected week, stage'
    '4s/stage/color/ => tsv: has no column .stage. in line 4'
    '7s/1e+01/-10/ => tsv:7: median_us .-10.: not a number; expected decimal digits'
    '7s/1e+01/0x10/ => tsv:7: median_us .0x10.: not a number'
    '7s/1e+01/1e308/ => tsv:7: median_us .1e308.: not a number; expected decimal digits, 0 to 1e18'
    '7s/1e+01/nan/ => tsv:7: median_us .nan.: not a number'
    '7s/1e+01// => tsv:7: median_us ..: expected a time above 0'
    '7s/1e+01/0/ => tsv:7: median_us .0.: expected a time above 0'
    '7s/125/1,250/ => tsv:7: rate .1,250.: not a number'
    '7s/\tok\t/\tmaybe\t/ => tsv:7: status .maybe.: expected one of ok wrong usage error skip'
    '7s/\tok\t/\t\t/ => tsv:7: status ..: expected a word'
    '7s/cold/warm/ => tsv:7: mode .warm.: expected one of cold hot count'
    '5s/64x64/axb/ => tsv:5: size .axb.: not a size; expected for example 4099x8191'
    '5s/64x64/-1x-1/ => tsv:5: size .-1x-1.: not a size'
    '5s/64x64/0x0/ => tsv:5: size .0x0.: not a size'
    '5s/64x64/1x2x3x4/ => tsv:5: size .1x2x3x4.: not a size'
    '5s|stage1|../../etc| => tsv:5: stage .\.\./\.\./etc.: expected at most 64 letters, digits and _'
    '5s|01_x|../x| => tsv:5: week .\.\./x.: expected at most 64 letters'
    "5s/stage1/$long/ => tsv:5: stage .a+.*: expected at most 64 letters"
    '6s/2026-01-31/yesterday/ => tsv:6: date .yesterday.: not a date, year-month-day'
    '6s/GB/\x00/ => tsv:6: a byte 0; expected text'
)
for damage in "${damages[@]}"; do
    name=$(cut -c 1-60 <<<"${damage% => *}") wrong=''
    for command in "${commands[@]}"; do
        damaged "${damage% => *}"
        run "$L" $command
        [ "$status $(grep -c '' <<<"$err")" = '2 1' ] && [ "${#err}" -lt 400 ] &&
            [ -z "$(grep -v '^week' <<<"$out")" ] && matches "$err" "${damage##* => }" ||
            wrong="$wrong$command: exit status $status: ${err:0:300}"$'\n'
    done
    is "$wrong" '' "damage $name is refused by ${#commands[@]} commands"
done

done_testing
