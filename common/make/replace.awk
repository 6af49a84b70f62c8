# A table with some of its runs made anew: OLD, in which each run that NEW has as well, told by its '# command:' line, is replaced by that, and
# behind which the runs follow that only NEW has. A run's rows follow its command. The date is NEW's. Fails, and says why, where NEW is not a table
# of runs, or where the two have other columns or are of another device, driver or CUDA.
#
#   awk -f replace.awk NEW OLD

function give_up(why) { print "replace: " why > "/dev/stderr"; failed = 1; exit 1 }
# Prints a run of NEW.
function put(command) { printf "%s\n%s", command, rows[command]; done[command] = 1 }

FILENAME == ARGV[1] {
    if (/^# command: /) {
        command = $0
        order[++runs] = command
        rows[command] = ""
    } else if (/^# [a-z]+: /)
        note[$2] = $0
    else if (/^week\t/)
        columns = $0
    else if (!/^#/ && command != "")
        rows[command] = rows[command] $0 "\n"
    next
}
!checked++ {
    for (i = 1; i <= runs; i++)
        empty += rows[order[i]] == ""
    if (columns == "" || !runs || empty)
        give_up("the new table has no runs, or one without rows")
}
/^week\t/ && $0 != columns { give_up("the recorded table has other columns; record all stages") }
/^# (device|driver|cuda): / && $2 in note && $0 != note[$2] { give_up("the recorded table is of another " substr($0, 3) "; record all stages") }
/^# date: / && $2 in note { $0 = note[$2] }
/^#/ { replaced = 0 }
/^# command: / && $0 in rows {
    replaced = 1
    if (!($0 in done))
        put($0)
    next
}
/^week\t/ || !replaced
END {
    if (!checked && !failed)
        give_up("there is no recorded table")
    for (i = 1; i <= runs && !failed; i++)
        if (!(order[i] in done))
            put(order[i])
    exit failed
}
