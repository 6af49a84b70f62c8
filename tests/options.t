#!/usr/bin/env bash
# What a program does with a bad command line: one line on stderr that names the option and what is accepted, and the exit status of --help.
. "$(dirname "$0")/lib.sh"

fresh_tree built
cd "$TREE/01_transpose" || exit 1
ok 'build' make -s DEVICE=cpu stage3

# refused STATUS TEXT option...
refused()
{
    local want=$1 text=$2
    shift 2
    fails "$want" "$*" ./stage3 "$@"
    is "$(grep -c '' <<<"$err")" 1 "$*: one line on stderr"
    like "$err" "$text" "$*: it says what is wrong"
    is "$out" '' "$*: nothing on stdout"
}
refused 2 "unknown option" --nonesuch
refused 2 "unknown" -z
refused 2 "unknown argument" 1024
refused 2 "size '0'" --size 0
refused 2 "size '-1'" --size -1
refused 2 "size '-1'" -n -1
refused 2 "size 'abc'" --size abc
refused 2 "size ''" --size ''
refused 2 "size '99999999999999999999'" --size 99999999999999999999
refused 2 "size '1x2x3'" --size 1x2x3
refused 2 "size '12x'" --size 12x
refused 2 "size 'x12'" --size x12
refused 2 "size '0x12'" --size 0x12
refused 2 "size '1e3'" --size 1e3
refused 2 "size '3 4'" --size '3 4'
refused 2 "size '16\.5'" --size 16.5
refused 2 "size '100000x100000'" --size 100000x100000
refused 2 'needs a value' --size
refused 2 "type 'double'" --type double
refused 2 "reps '0'" --reps 0
refused 2 "reps 'many'" --reps many
refused 2 "reps '1000000000000'" --reps 1000000000000
refused 2 "seed 'x'" --seed x
refused 2 "seed '-3'" --seed -3
refused 2 "device '-1'" --device -1
refused 2 'device' --device 99
refused 2 'tsv' --tsv /nonesuch/folder/rows.tsv
refused 2 'tsv' --tsv .
refused 2 'choose one' --check --bench
refused 2 'hot' --hot
refused 2 'no references' --alone
printf 'name\tage\nme\t3\n' >"$TMP/other.tsv"
refused 2 'other.tsv' --bench --tsv "$TMP/other.tsv"
is "$(cat "$TMP/other.tsv")" "$(printf 'name\tage\nme\t3')" 'a table of something else is left alone'

ok '--help' ./stage3 --help
for option in --size --type --check --bench --count --claims --shmoo --hot --alone --reps --seed --device --tsv --help --version; do
    like "$out" "^ .* *$option( |$)" "--help names $option"
done
ok '--version' ./stage3 --version
fails 3 'a size that does not fit into memory' bash -c 'ulimit -v 2000000; ./stage3 --bench --size 40000x40000'
is "$(grep -c '' <<<"$err")" 1 'is told in one line'

# --- what it writes

ok '--size 48x80' ./stage3 --bench --size 48x80 --tsv "$TMP/rows.tsv"
ok '--size 32' ./stage3 --bench --size 32 --tsv "$TMP/rows.tsv"
is "$(grep -c '^week	' "$TMP/rows.tsv")" 1 'one header row, however often rows are added'
is "$(awk -F'\t' '/^week/ { for (i = 1; i <= NF; i++) at[$i] = i; next } !/^#/ { print $at["stage"], $at["size"], $at["status"], $at["mode"] }' \
    "$TMP/rows.tsv" | tr '\n' ,)" 'stage3 48x80 ok count,stage3 32x32 ok count,' 'rows by column names'
run ./stage3 --bench --size 32 --tsv -
is "$(head -n 1 <<<"$out")" '# device: CPU device' '--tsv -: the table on stdout'
{ echo notes; ./stage3 --bench --size 32 --tsv -; } >"$TMP/notes"
like "$(cat "$TMP/notes")" '^week	stage	' 'with its header, whatever the file behind stdout holds'
is "$(awk -F'\t' '/^#/ { next } { n[NF]++ } END { for (i in n) k++; print k }' <<<"$out")" 1 'all rows are equally long'
for column in week stage name device type size knobs mode status reps median_us p10_us p90_us min_us graph_us bytes flops rate unit kernels kernel grid \
    block regs shared_bytes blocks_per_sm ld_requests ld_sectors st_requests st_sectors tex_requests atomic_requests shared_requests \
    shared_wavefronts barriers active_lanes pins_gbs l2_bytes seed max_error date; do
    like "$(grep '^week	' <<<"$out" | tr '\t' '\n')" "^$column\$" "column $column"
done
ok 'again' ./stage3 --bench --size 32
is "$(grep -c '	32x32	' results/cpu/stage3.tsv)" 1 'a row of the same run replaces the older one in results/'
chmod a-w results/cpu
if [ -w results/cpu ]; then skip 'results that cannot be written' 'root writes everywhere'
else fails 2 'results that cannot be written' ./stage3 --bench --size 32; fi
chmod u+w results/cpu
done_testing
