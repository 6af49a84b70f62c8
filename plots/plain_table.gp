# For figures that read IN row by row in their plot commands: `has_column(name)`, and `meta(name)`, what the first "# name: ..." line says, "" where
# none does. Leaves gnuplot set for tables with a header, so that column("name") is a field of a row.
set datafile separator "\001"
set datafile commentschars ""
META = "\n"
HEADER = ""
stats IN using (line = strcol(1), line[1:1] eq "#" ? (META = META.line."\n") : HEADER eq "" ? (HEADER = line) : 0, 1) nooutput
up_to_newline(s) = s[1:strstrt(s, "\n")-1]
meta(key) = (at = strstrt(META, "\n# ".key.": ")) ? up_to_newline(META[at+strlen(key)+5:*]) : ""
has_column(c) = strstrt("\t".HEADER."\t", "\t".c."\t") > 0
set datafile commentschars "#"
set datafile separator "\t"
set datafile columnheaders
