#!/usr/bin/env bash
# Hostile submissions. make grade runs the code of strangers: it has to protect the points, the other submissions and
# the machine. Each file in tests/exercises/hostile attacks in its own way; its head says the most that its row may
# have:
#
#   // Graded: POINTS STATUS|STATUS: REGEX of the reason
#
# A file leaves marker_NAME where it can write, or ends with exit status 99, or kills or leaves a process. So beside its
# row the test checks that no marker is anywhere, that no file outside build/ changed, that the processes beside the
# grading live and get no signal, that no process is left, and that honest submissions among the hostile ones get their
# points. Links, pipes and names that a shell would execute are added here. All are graded as the user of the test; some
# again as a user without rights, if the test runs as root, and some as in a container. With FULL=1, half of them run
# again without the lists of what is allowed, and nvcc compiles every eighth, each day others; with FULL=2, all. Without
# either, only some are graded, once.
. "$(dirname "$0")/lib.sh"
nvcc=$(command -v nvcc)
export NVCC=

fresh_tree 01_transpose/for_grading
export EMU_PATIENCE=1 SECRET_TOKEN=known
honest="$ROOT/tests/exercises/submissions/honest.cu"
(small_course)

# --- what is graded

# Honest ones among the others, for every core.
add_honest() { for i in a $(is_full && echo e i o u) z; do cp "$honest" "$1/$i honest.cu"; done; }

# Without FULL=1, these: one of each kind, and those that forge counts.
few='returns_from_memcpy attribute_in_pieces calls_system constructor parent_files kills_group daemon fork_bomb
    execs_itself connects replaces_grader reads_solutions writes_garbage includes_solution floods_disk own_hooks
    unlocks_by_address opens_by_qsort counts_in_data copies_by_pointer'
everything="$TMP/everything"
mkdir "$everything"
cd "$ROOT/tests/exercises/hostile" || exit 1
if is_full; then copy_submissions ./*.cu "$everything"; else copy_submissions $(printf '%s.cu ' $few) "$everything"; fi
add_honest "$everything"
for name in '$(touch marker_name).cu' '`touch marker_name`.cu' '; touch marker_name; #.cu' '| touch marker_name.cu' \
    "'; touch marker_name; '.cu" $'line\ntouch marker_name.cu' '-o marker_name.cu' '$(shell touch marker_name).cu' \
    '=cmd|marker_name.cu'; do
    cp "$honest" "$everything/$name"
done
# To some compilers a lone carriage return ends the line of a comment.
printf '%b\n' '// Graded: 0 refused|uncompiled: .' '#include "transpose.h"' '// \r#line 1 "transpose.h"' \
    'void transpose(const float *, float *, int, int) { asm("nop"); }' >"$everything/hides_by_return.cu"
ln -s /etc/passwd "$everything/link_passwd.cu"
ln -s /dev/zero "$everything/link_zero.cu"
ln -s 'a honest.cu' "$everything/link_other.cu"
mkfifo "$everything/pipe.cu"
mkdir "$everything/folder.cu"
{ cat "$honest"; head -c 2000000 /dev/zero | tr '\0' '\n'; } >"$everything/large.cu"

# Of these, the outcome depends most on who grades.
some="$TMP/some"
mkdir "$some"
copy_submissions {calls_system,constructor,parent_files,parent_memory,parent_vm,traces_parent,kills_parent}.cu \
    {kills_group,leaves_group,daemon,clones,io_uring,memory_file,execs_itself,shared_memory,connects}.cu \
    {replaces_grader,changes_links,reads_solutions,raises_limits,odd_syscalls,forges_reply}.cu "$some"
add_honest "$some"
cd "$TMP" || exit 1

# --- grading between sentinels

# contained LEFT command...: runs it in its own process group, for at most 1200 s. Then writes the processes that it
# left into the file LEFT, and ends them: this process is the parent of all orphans (PR_SET_CHILD_SUBREAPER).
contained()
{
    perl -e '
        my $left = shift;
        my $prctl = `uname -m` =~ /x86_64/ ? 157 : 167;
        sub children { my @pid; for my $file (glob "/proc/[0-9]*/stat") {
            open my $f, "<", $file or next; my $s = <$f> // "";
            push @pid, "$1 $2" if $s =~ /^(\d+ \(.*\)) ([^Z]) $$ /s; } return @pid; }
        syscall($prctl, 36, 1, 0, 0, 0) == 0 or die "no subreaper: $!\n";
        my $pid = fork // die;
        if (!$pid) { setpgrp; exec @ARGV; exit 127 }
        local $SIG{ALRM} = sub { kill KILL => -$pid };
        alarm 1200;
        waitpid $pid, 0;
        my $status = $? & 127 ? 128 + ($? & 127) : $? >> 8;
        select undef, undef, undef, 0.5;   # those that are ending
        open my $out, ">", $left or die;
        for (my $round = 0; $round < 100 and my @pid = children(); $round++) {
            print $out "$_\n" for @pid;
            kill KILL => map { /^(\d+)/ } @pid;
            select undef, undef, undef, 0.05;
        }
        exit $status;' "$@"
}

# Ends with the message if it gets the signal that kills_all.cu sends.
watch_signals() { exec bash -c 'trap "echo signal >\"$1\"; exit" URG; while :; do sleep 0.2; done' sentinel "$1"; }
state_of()
{
    local built='( -name build -o -name results ) -prune -o'

    (cd "$1" && find . $built -type f -exec cksum {} + | sort -k 3; find . $built -print | sort)
}
# Everywhere but in the submissions that this test made.
markers()
{
    local elsewhere=("$TREE" "$home" "$temporary" /tmp /dev/shm -maxdepth 6)

    find "${elsewhere[@]}" \( -path "$LADDER_TEST_DIR" -o -path '/tmp/*/*' \) -prune -o -name 'marker_*' -print
    find "$TREE" "$home" "$temporary" -name 'marker_*'
    ipcs -m -q | grep 6d61726b
} 2>/dev/null

# grade WHO FOLDER prefix...: grades FOLDER with this prefix of the command, and checks everything.
grade()
{
    local who=$1 folder=$2 points before process name want
    shift 2
    home="$TMP/home of $who" temporary="$TMP/temporary of $who" points="$TMP/points of $who"
    mkdir "$home" "$temporary" "$points"
    echo kept >"$home/kept"; echo kept >"$TREE/01_transpose/kept"
    [ "$who" != guest ] || chown -R 65534:65534 "$home" "$temporary" "$points" "$TREE"
    before=$(state_of "$TREE"; state_of "$home"; state_of "$folder" 2>&1)
    "${@:-env}" bash -c "$(declare -f watch_signals); watch_signals \"\$1\"" sentinel "$temporary/signal" &
    process=$!
    contained "$TMP/left" "${@:-env}" env HOME="$home" TMPDIR="$temporary" make -s -C "$TREE/01_transpose" DEVICE=cpu \
        grade N=1 FROM="$folder" OUT="$points/points.tsv" SECONDS=3 >"$TMP/grading.log" 2>&1 </dev/null
    status=$?
    # without the lists, an attack can have its own process killed, and is then not graded
    [ "$who" = 'without lists' ] || is "$status" 0 "$who: the grading ends with 0"
    is "$(kill -0 $process 2>&1)$(cat "$temporary/signal" 2>&1 | grep signal$)" '' \
        "$who: a process beside the grading lives, and gets no signal"
    kill -9 $process 2>/dev/null; wait $process 2>/dev/null
    is "$(cat "$TMP/left")" '' "$who: no process is left"
    sleep 2   # for a daemon that waits until the grading is over
    is "$(markers | sort -u | head -n 20)" '' "$who: no marker is anywhere"
    markers | grep ^/ | tr '\n' '\0' | xargs -0 -r rm -rf
    ipcrm -M 0x6d61726b 2>/dev/null; ipcrm -Q 0x6d61726b 2>/dev/null
    is "$(diff <(echo "$before") <(state_of "$TREE"; state_of "$home"; state_of "$folder" 2>&1))" '' \
        "$who: no file outside build/ changed"
    rm -f "$temporary/signal"
    is "$(ls -A "$temporary")" '' "$who: no temporary file is left"
    is "$(points_rows "$points/points.tsv" | wc -l)" "$(cd "$folder" && printf '%s\0' * | tr -dc '\0' | wc -c)" \
        "$who: the table has a row per file"
    is "$(awk -F '\t' '!/^#/ && NF != 8 || /[\001-\010\013-\037]/' "$points/points.tsv")" '' \
        "$who: every row has eight fields, and no control characters"
    [ "$who" != 'without lists' ] || return 0   # what changes its own process alone may report that, and forge points
    is "$(cut -f 5 "$points/points.tsv" | grep -E 'exit status 99|root:')" '' \
        "$who: no attack reports success in its reason"
    for file in "$folder"/*.cu; do
        name=${file##*/}
        case $name in
        link_* | pipe.cu | folder.cu | large.cu) want='0 unreadable: .' ;;
        *honest.cu | *marker_name*) want='9 solved:' ;;
        *) want=$(sed -n '1s|^// Graded: ||p' "$file") ;;
        esac
        row_is_at_most "$points/points.tsv" "$who" "$(points_name "$name")" "$want"
    done
}

# row_is_at_most TABLE WHO NAME HEAD: points, at most those of the head, unless it is solved; a status; the reason
row_is_at_most()
{
    local status points reason statuses=${4#* }

    IFS=$'\t' read -r points status reason < <(points_row "$1" "$3" | cut -f 2,4,5)
    if [ -n "$points" ] && [ "$points" -le "${4%% *}" ] && { [[ $4 != 9* ]] || [ "$points" = 9 ]; } &&
        grep -q -x -E -e "${statuses%%:*}" <<<"$status" && grep -q -E -e "$(sed 's/^[^:]*: *//' <<<"$4")" <<<"$reason"
    then
        pass "$2: $3: at most $4"
    else
        fail "$2: $3: at most $4" "got: $points $status: $reason"
    fi
}

grade user "$everything"

if ! is_full; then
    skip 'guest: some are graded by a user without rights, and in namespaces' 'only with FULL=1'
    done_testing
fi
# part FOLDER PARTS: makes a folder with those in turn
part()
{
    mkdir "$1"
    ls "$ROOT"/tests/exercises/hostile/*.cu | in_turn "$2" >"$TMP/files"
    mapfile -t files <"$TMP/files"
    copy_submissions "${files[@]}" "$1"
    add_honest "$1"
}

if [ -n "$nvcc" ]; then
    compiled="$TMP/compiled with nvcc, too"
    part "$compiled" 8
    grade 'with nvcc' "$compiled" env NVCC="$nvcc"
else
    skip 'with nvcc: submissions are compiled with nvcc, too' 'nvcc is not installed'
fi
# The lists of what a submission may name refuse most attacks before they run. Without them, the confinement alone has
# to hold.
lists="$TREE/common/grade/allowed"
cp -p "$lists" "$TMP/allowed"
for list in headers directives pragmas attributes reserved symbols compiler gpu; do echo "$list: *"; done >"$TMP/open"
sed -n '/^guarded:/,/^$/p; /^counted:/,/^$/p' "$lists" >>"$TMP/open"
echo 'refused:' >>"$TMP/open"
rm -f "$lists"; cp "$TMP/open" "$lists"
unlisted="$TMP/without lists"
part "$unlisted" 2
grade 'without lists' "$unlisted"
cp -p "$TMP/allowed" "$lists"

if [ "$(id -u)" != 0 ]; then
    skip 'guest: some are graded by a user without rights' 'the test does not run as root'
elif ! setpriv --reuid=65534 --regid=65534 --clear-groups true 2>/dev/null; then
    skip 'guest: some are graded by a user without rights' 'setpriv cannot change the user'
else
    chmod a+x "$LADDER_TEST_DIR" "$TMP"; chmod -R a+rX "$TREE" "$some"
    grade guest "$some" setpriv --reuid=65534 --regid=65534 --clear-groups
    chown -R 0:0 "$TREE"
fi

namespaces=(unshare --map-root-user --net --pid --fork --kill-child --mount-proc)
if "${namespaces[@]}" true 2>/dev/null; then
    grade container "$some" "${namespaces[@]}"
else
    skip 'container: some are graded in namespaces of their own' \
        'unshare cannot make user, process and network namespaces here'
fi
done_testing
