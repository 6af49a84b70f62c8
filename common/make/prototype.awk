# The functions that a week's header declares, one prototype a line; with -v names=1 their names only.

{ sub(/\r$/, ""); sub(/\/\/.*/, "") }
/^#/ { continued = /\\$/; next }
continued { continued = /\\$/; next }
/^[ \t]*(extern "C")?[ \t]*[{}]?[ \t]*$/ { next }
{
    text = text (text == "" ? "" : " ") $0
    if (text !~ /;[ \t]*$/)
        next
    gsub(/[ \t]+/, " ", text)
    sub(/^ ?(EXTERN_C )?/, "", text)
    if (text ~ /\(/) {
        if (names) {
            sub(/ *\(.*/, "", text)
            sub(/.*[ *]/, "", text)
        }
        print text
    }
    text = ""
}
