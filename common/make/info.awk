# Writes the C source of a program's `stage_info` (week.h) from the head of its stage.
#
#   awk -v knobs="TILE=16 ROWS=4" -f info.awk stage3_noconflict.cu > stage3.info.c
#
# With -v list=1 it prints a line for people instead: "stage3  noconflict  no bank conflicts. ...".

function quoted(s,    i, c, out) {
    for (i = 1; i <= length(s); i++) {
        c = substr(s, i, 1)
        out = out (c ~ /["\\?]/ ? "\\" c : c == "\t" ? " " : c)   # "\?": no trigraphs
    }
    return "\"" out "\""
}

function after(prefix,    s) {
    s = substr($0, length(prefix) + 1)
    sub(/^[ \t]+/, "", s)
    sub(/[ \t]+$/, "", s)
    return s
}

{ sub(/\r$/, "") }

# "stage3: no bank conflicts. ...", the head's first paragraph. The copy of a stage may still bear the
# name that it was copied from.
!told && /^\/\/ *[^ ]/ && !/^\/\/ (Needs:|Computes:|Arithmetic:|Links:|Expect )/ { lesson = lesson (lesson == "" ? "" : " ") after("//"); next }
lesson != "" && !told { told = 1; sub(/^[A-Za-z0-9_]+: */, "", lesson) }
/^\/\/ Needs:/    { needs = $3 }
/^\/\/ Computes:/ { computes = $3 }
/^\/\/ Arithmetic:/ { arithmetic = $3 }
/^\/\/ Expect /   { claim[++claims] = after("// Expect ") }

END {
    file = ARGV[ARGC - 1]
    sub(/.*\//, "", file)
    if (list) {
        key = name = file
        sub(/_.*/, "", key)
        sub(/^[^_]*_/, "", name)
        sub(/\.cu$/, "", name)
        printf "%-8s %-14s %s\n", key, name, lesson
        exit
    }
    print "#include <stddef.h>"
    print "#include \"week.h\"\n"
    print "static const char *const claims[] = {"
    for (i = 1; i <= claims; i++)
        print "    " quoted(claim[i]) ","
    print "    NULL,\n};\n"
    print "const struct stage_info stage_info = {"
    print "    .file = " quoted(file) ","
    print "    .lesson = " quoted(lesson) ","
    print "    .needs = " quoted(needs) ","
    print "    .computes = " quoted(computes) ","
    print "    .arithmetic = " quoted(arithmetic) ","
    print "    .knobs = " quoted(knobs) ","
    print "    .claims = claims,"
    print "};"
}
