# The page of gallery.sh. A picture per line: section, name in the list of contents, file, one sentence on how to read
# it, the command that draws it in the top folder, and the source of its data.
function html(text) {
    gsub(/&/, "\\&amp;", text); gsub(/</, "\\&lt;", text); gsub(/>/, "\\&gt;", text); gsub(/"/, "\\&quot;", text)
    return text
}
function title(section) {
    sub(/_model_/, ", model of ", section)
    return section == "overview" ? "All weeks" : section == "drawings" ? "Drawings" : section
}
$3 ~ /\.(svg|png)$/ {   # a browser shows no PDF as a picture
    id = $3
    sub(/\..*/, "", id)
    if ($1 != section) {
        contents = contents (n++ ? "</p>\n" : "") "<p><b>" title($1) ":</b>\n"
        pictures = pictures "<h2>" title($1) "</h2>\n"
        section = $1
    }
    contents = contents "<a href=\"#" id "\">" html($2) "</a>\n"
    pictures = pictures "<figure id=\"" id "\">\n<a href=\"" $3 "\"><img src=\"" $3 "\" loading=\"lazy\" alt=\"" \
        html($2 ": " $4) "\"></a>\n<figcaption>" html($4) "<br>\n<small><code>" html($5) "</code><br>\n" \
        html($6 == "" ? "" : "Data: " $6) "</small></figcaption>\n</figure>\n"
}
END {
    if (!n) {
        print "gallery: there is no figure in plots/out; make plots draws them" | "cat >&2"
        exit 2
    }
    print "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">"
    print "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
    print "<title>Figures of the CUDA ladder</title>\n<style>"
    print ":root { color-scheme: light dark }"
    print "body { font: 18px/1.45 sans-serif; max-width: 60em; margin: auto; padding: 0 1em 3em }"
    print "nav p { margin: 0.4em 0 }"
    print "nav a { white-space: nowrap; margin-right: 0.7em }"
    print "figure { margin: 2.5em 0 }"
    print "figure > a { display: block; overflow-x: auto }"
    print "img { width: 100%; background: white }"
    print "code { overflow-wrap: anywhere }"
    print "@media (max-width: 45em) { img { width: 44em; max-width: none } }\n</style>"
    print "<h1>Figures of the CUDA ladder</h1>"
    print "<p>Select a figure to see it alone. The commands run in the top folder of the course.</p>"
    printf "<nav>\n%s</p>\n</nav>\n%s</html>\n", contents, pictures
}
