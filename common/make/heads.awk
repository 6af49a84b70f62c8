# What make must know of the .cu files named: one line each, of fields parted by "|", "-" where there is nothing.
#
#   stage3|stage3_noconflict.cu|sm_75|TILE,ROWS|-lcublas
#
# The key (stage3, ref_cublas, demo_timing), the file, what to compile it for ("cpu", an architecture, or "none" where this device or this nvcc
# cannot), its knobs and the libraries of its "// Links:" line. A file that is misnamed gives "!name".
#
# -v device=gpu|cpu  -v arch=sm_80  -v known=1 where a GPU of that architecture is there or asked for  -v archs="sm_75 sm_80": what nvcc knows

function number(sm) { sub(/^sm_/, "", sm); return sm + 0 }

# "// Needs: sm_90a" is code for that one architecture; without the letter, for it and all later ones.
function target(needs,    exact) {
    if (device == "cpu")
        return needs == "" ? "cpu" : "none"
    if (needs == "")
        return arch
    exact = needs ~ /[af]$/
    if (index(" " archs " ", " sm_" number(needs) " ") == 0)
        return "none"
    if (!known || (exact && number(arch) == number(needs)))
        return needs
    return !exact && number(arch) >= number(needs) ? arch : "none"
}

function add(list, word) { return list == "" ? word : list "," word }
function or_none(field) { return field == "" ? "-" : field }

{ sub(/\r$/, ""); sub(/^[ \t]*#[ \t]*/, "#") }
/^\/\/ Needs:/ { needs[FILENAME] = $3 }
/^\/\/ Links:/ { for (i = 3; i <= NF; i++) links[FILENAME] = add(links[FILENAME], $i) }
$1 == "#define" && $2 == guard { knobs[FILENAME] = add(knobs[FILENAME], guard) }
{ guard = $1 == "#ifndef" ? $2 : "" }

END {
    for (i = 1; i < ARGC; i++) {
        file = key = ARGV[i]
        sub(/\.cu$/, "", key)
        if (key ~ /^stage/)
            sub(/_.*/, "", key)
        if (file ~ /^stage[0-9]+_[A-Za-z0-9_]+\.cu$/ || file ~ /^(ref|demo)_[A-Za-z0-9_]+\.cu$/)
            print key "|" file "|" or_none(target(needs[file])) "|" or_none(knobs[file]) "|" or_none(links[file])
        else {
            gsub(/[^A-Za-z0-9_.()-]/, "?", file)
            print "!" file
        }
    }
}
