#!/usr/bin/env bash
# The machine in numbers: the programs of common/machine compile, and their loops execute the instructions that their
# names say; the recorded tables are complete; docs/machine.md shows them. Without FULL=1, pipes.cu alone is compiled.
. "$(dirname "$0")/lib.sh"
use_ladder
cd "$ROOT" || exit 1

# --- the recorded tables

tables=$(ls common/machine/*.tsv | grep -v datasheets)
# Measured on one of the GPUs alone.
later='^l2[.]load[.]shared_|^dram[.](read|copy)_spread_|^dram[.]store_one_word_per_line$'
names() { grep -v -e '^#' -e '^name' "$1" | cut -f 1; }
for table in $tables; do
    for key in device driver cuda date command; do
        like "$(head -5 "$table")" "^# $key: ." "$table says its $key"
    done
    is "$(awk -F '\t' '!/^#/ && (NF != 8 || $2 == "" || $3 == "" || !($4 + 0 <= $2 + 0 && $2 + 0 <= $5 + 0)) \
        && $1 != "name"' "$table")" '' "$table: rows have a value, a unit, and percentiles around the value"
    is "$(awk -F '\t' '/^[a-z].*\./ && $7 != "" && ($2 / $7 - $8 > 0.001 || $8 - $2 / $7 > 0.001)' "$table")" '' \
        "$table: the ratio is the value divided by that of the data sheet"
    is "$(names "$table" | sort | uniq -d)" '' "$table: names are unique"
    is "$(names "$table" | grep -v '^[a-z0-9]*\.[a-z0-9_.]*$')" '' "$table: names are keys"
    is "$(names "$table" | grep -v -E "$later")" "$(names "${tables%%$'\n'*}" | grep -v -E "$later")" \
        "$table has the numbers of the other tables"
done
is "$(awk -F '\t' '!/^#/ && NF != 5 || !/^#/ && FNR > 6 && ($3 == "" || $5 == "")' common/machine/datasheets.tsv)" '' \
    'each row of datasheets.tsv has a value and a source'
is "$(awk -F '\t' '!/^#/ && $1 != "gpu" && $5 !~ /\(from memory\)|compared with|driver|measured|1024 bytes less/' \
    common/machine/datasheets.tsv)" '' 'each row of datasheets.tsv says how it was checked, or that it was not'
first=$(for table in $tables; do echo "$(names "$table" | wc -l) $table"; done | sort -n | tail -n 1 | cut -d ' ' -f 2)
stated=$(grep -o '^[0-9.]*	[^	]*' common/machine/datasheets.tsv | cut -f 2 | sort -u)
is "$(grep -v -x -F "$(names "$first")" <<<"$stated")" '' \
    'the data sheets name numbers that make machine measures'

# --- the page

export PATH=${LADDER%/*}:$PATH
ok 'the tables of docs/machine.md are those of the recorded files' "$LADDER" readme -n docs/machine.md
ok 'so are the numbers in its text' "$LADDER" numbers docs/machine.md
shown=$(grep -o '^| `[a-z0-9_.]*`' docs/machine.md | tr -d '|` ')
is "$(names "$first" | grep -v -x -F "$shown")" '' 'docs/machine.md shows each number'

# --- without a GPU

refused 'machine: expected PATTERN' "$LADDER" machine
refused 'no number matches' "$LADDER" machine '^nothing$'
fresh_tree
cd "$TREE" || exit 1
ok 'make machine without a GPU' make -s machine DEVICE=cpu
like "$out" '^machine: skipped: the CPU device measures no time' 'it says why it is skipped'

# --- the programs

nvcc=$(command -v nvcc || ls /usr/local/cuda/bin/nvcc 2>/dev/null)
if [ -z "$nvcc" ]; then
    skip 'the programs compile' 'nvcc is not installed'
    done_testing
fi
files=pipes
is_full && files=$(basename -s .cu common/machine/*.cu)
compile()
{
    ok "$1.cu compiles for $2" "$nvcc" -std=c++17 -O3 --default-stream per-thread -cubin \
        -gencode "arch=compute_${2#sm_},code=$2" "common/machine/$1.cu" -o "$TMP/$1.$2.cubin"
    unlike "$out$err" 'warning|C75' "$1.cu compiles without a warning for $2"
}
# loops FILE: lines "KERNEL LOOP OPCODE COUNT", of each loop of each kernel, from cuobjdump's text.
loops()
{
    awk 'function flush(   i, k, n, name) {
            for (i = 0; i < loops; i++) {
                split("", count)
                for (k = 0; k < n_code; k++)
                    if (at[k] >= from[i] && at[k] <= to[i]) count[opcode[k]]++
                for (name in count) print kernel, i, name, count[name]
            }
            n_code = loops = 0
        }
        function number(hex,   i, n) {
            for (i = 1; i <= length(hex); i++) n = 16 * n + index("0123456789abcdef", substr(hex, i, 1)) - 1
            return n
        }
        /Function :/ { flush(); kernel = $NF }
        match($0, /^[ \t]*\/\*[0-9a-f]+\*\/ +.*;/) {
            line = $0; sub(/^[ \t]*\/\*/, "", line); at[n_code] = number(substr(line, 1, index(line, "*") - 1))
            sub(/^[^\/]*\/ */, "", line); sub(/^@!?U?P[0-9T]+ +/, "", line); sub(/;.*/, "", line)
            split(line, word, " "); opcode[n_code] = word[1]
            if (word[1] ~ /^BRA/ && match(line, /0x[0-9a-f]+/)) {
                from[loops] = number(substr(line, RSTART + 2, RLENGTH - 2))
                if (from[loops] < at[n_code]) to[loops++] = at[n_code]
            }
            n_code++
        }
        END { flush() }' "$1"
}
# wanted FILE: lines "KERNEL OPCODE COUNT", from the comments and from OP(name, "OPCODE COUNT", ...).
wanted()
{
    sed -n 's|^// SASS: ||p; s|^OP(\([a-z0-9_]*\), "\([A-Z0-9.]* [0-9]*\)".*|op_\1L \2|p
        s|^OP64(\([a-z0-9_]*\), "\([A-Z0-9.]* [0-9]*\)".*|op_\1L \2|p' "$1"
}
for file in $files; do
    compile "$file" sm_90a
    if is_full && [ "$file" != wgmma ]; then
        compile "$file" sm_75
        compile "$file" sm_80
    fi
    if ! have cuobjdump; then
        skip "the loops of $file.cu" 'cuobjdump is not installed: it is in the CUDA Toolkit'
        continue
    fi
    cuobjdump -sass "$TMP/$file.sm_90a.cubin" >"$TMP/$file.sass"
    loops "$TMP/$file.sass" >"$TMP/loops"
    while read -r kernel opcode count; do
        is "$(awk -v kernel="$kernel" -v opcode="^$opcode" -v want="$count" '
            index($1, kernel) { seen[$1] }
            index($1, kernel) && $3 ~ opcode { sum[$1 " " $2] += $4 }   # HFMA2 and HFMA2.MMA
            END {
                for (loop in sum)
                    if (sum[loop] == want || sum[loop] == want + 1) {
                        split(loop, part, " ")
                        found[part[1]]
                    }
                for (k in seen) { n++; if (!(k in found)) print k " has no such loop" }
                if (!n) print "no such kernel"
            }' "$TMP/loops")" '' "$file.cu: a loop of $kernel has $count $opcode"
    done < <(wanted "common/machine/$file.cu")
done
# The banks of the three sources of FFMA, 0 or 1: ptxas chooses the registers of the sums.
banks()
{
    sed -n "/Function : .*5banksILb$1ELb$2E/,/Function/p" "$TMP/pipes.sass" | awk '
        match($0, /FFMA R[0-9]+, .*;/) {
            split(substr($0, RSTART, RLENGTH), r, /[ ,;R]+/)
            count[r[3] % 2 "" r[4] % 2 "" r[5] % 2]++
            all++
        }
        END { for (c in count) if (count[c] >= 0.85 * all) print c }'
}
if [ -e "$TMP/pipes.sass" ]; then
    for reuse in 0 1; do
        is "$(banks 1 $reuse)" 000 "most FFMA of banks<true, $reuse> have three registers of one bank"
        is "$(banks 0 $reuse)" 010 "most FFMA of banks<false, $reuse> have registers of two banks"
    done
fi
done_testing
