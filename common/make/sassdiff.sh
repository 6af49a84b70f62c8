#!/bin/sh
# sassdiff.sh A.sass B.sass: the opcodes of two stages' machine code, as cuobjdump -sass prints it: how often each
# occurs, then a diff in the order of the code. Predicates, registers, addresses and NOPs, which pad the code, are not
# compared.
a=$1 b=$2
opcodes()
{
    awk '/Function : / { sub(/.*Function : (void )?/, ""); print "kernel " $0 }
        $1 ~ /^\/\*[0-9a-f]+\*\/$/ { op = $2 ~ /^@/ ? $3 : $2; sub(/;$/, "", op); if (op !~ /^NOP/) print op }' "$1"
}
for file; do
    grep -q 'Function : ' "$file" || {
        echo "sassdiff: $file: no kernel in it; expected the output of cuobjdump -sass" >&2
        exit 2
    }
    opcodes "$file" >"$file.opcodes" || exit
done
awk -v a="$(basename "$a" .sass)" -v b="$(basename "$b" .sass)" '/^kernel / { next } { op[$1]; n[FILENAME, $1]++ }
    END { printf "%-32s %10s %10s %10s\n", "opcode", a, b, "change"
        for (o in op) {
            x = n[ARGV[1], o] + 0; y = n[ARGV[2], o] + 0
            printf "%d\t%-32s %10d %10d %+10d\n", y - x, o, x, y, y - x | "sort -k1,1nr -k2,2 | cut -f 2-"
        }
    }' "$a.opcodes" "$b.opcodes"
diff -u --label "$(basename "$a" .sass)" --label "$(basename "$b" .sass)" "$a.opcodes" "$b.opcodes" || [ $? = 1 ]
