# Sourced by every test: TAP (Test Anything Protocol) functions, and a copy of the tree to work in, so that no test
# changes the checkout. README.md explains them.
#
# `run command...` sets $status, and $out and $err to the text that the command printed. A test ends with
# `done_testing`.

set -u
export LC_ALL=C
unset MAKEFLAGS MAKEOVERRIDES MFLAGS MAKELEVEL DEVICE ARCH RUN EXERCISES LADDER_EXERCISES LADDER_HERE
ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# One folder for all tests of one `make test`; a test that runs alone makes its own.
if [ -z "${LADDER_TEST_DIR-}" ]; then
    LADDER_TEST_DIR=$(mktemp -d)
    trap 'rm -rf "$LADDER_TEST_DIR"' EXIT
fi
TMP=$(mktemp -d "$LADDER_TEST_DIR/test.XXXXXX") || exit 1
tests_run=0

pass() { tests_run=$((tests_run + 1)); echo "ok $tests_run - $1"; }
# fail NAME [LINE...]
fail()
{
    tests_run=$((tests_run + 1))
    echo "not ok $tests_run - $1"
    shift
    [ $# = 0 ] || printf '%s\n' "$@" | head -n 40 | sed 's/^/#   /'
}
skip() { tests_run=$((tests_run + 1)); echo "ok $tests_run - $1 # SKIP $2"; }
skip_all() { echo "1..0 # SKIP $1"; exit 0; }
done_testing() { echo "1..$tests_run"; exit 0; }

# is GOT WANT NAME
is() { if [ "$1" = "$2" ]; then pass "$3"; else fail "$3" "got:  $1" "want: $2"; fi; }
# matches TEXT EXTENDED-REGEX: at least one line of the text matches; empty lines are not compared
matches()
{
    local - line IFS=$'\n'

    set -f
    for line in ${1:-""}; do [[ ! $line =~ $2 ]] || return 0; done
    return 1
}
# holds NAME CONDITION...: `test CONDITION` is true
holds() { if [ "${@:2}" ]; then pass "$1"; else fail "$1" "not true: ${*:2}"; fi; }
# like TEXT EXTENDED-REGEX NAME
like() { if matches "$1" "$2"; then pass "$3"; else fail "$3" "no match for: $2" "in:" "$1"; fi; }
unlike() { if matches "$1" "$2"; then fail "$3" "a match for: $2" "in:" "$1"; else pass "$3"; fi; }

run()
{
    "$@" >"$TMP/out" 2>"$TMP/err" </dev/null
    status=$?
    out=$(<"$TMP/out") err=$(<"$TMP/err")
}
# ended WANTED-STATUS NAME command...: the command ends with this status. A failure begins with the
# reason, the first line of stderr; the command may be long.
ended()
{
    local want=$1 name=$2 reason command
    shift 2
    run "$@"
    reason=${err%%$'\n'*} command=$*
    if [ $status = "$want" ]; then pass "$name"; else
        fail "$name" "exit status $status, not $want: ${reason:0:1000}" "of: ${command:0:200}" "$out" "$err"
    fi
}
# ok NAME command...: the command succeeds
ok() { ended 0 "$@"; }
# fails WANTED-STATUS NAME command...
fails() { ended "$@"; }
# refused REGEX command...: exit status 2, one line on stderr, nothing on stdout
refused()
{
    local text=$1
    shift
    fails 2 "refused: $*" "$@"
    is "${err//[!$'\n']/}$out" '' "the refusal is one line on stderr: $*"
    like "$err" "$text" "the refusal says what is wrong: $*"
}

# check_faults FOLDER PROGRAM SUFFIX: each "FAULT name: text" in tests/emu/PROGRAM.cu is reported by FOLDER/PROGRAM, at
# the next line of code.
check_faults()
{
    local line rest name text last=

    while IFS=: read -r line rest; do
        rest=${rest#*FAULT }
        name=${rest%%:*}
        text=${rest#*: }
        if [ "$name" != "$last" ]; then
            run timeout 60 "$1/$2" "$name"
            is "$status" 1 "$name: exit status 1$3"
            last=$name
        fi
        like "$err" "^$2\.cu:$line: .*$text" "$name: reported at line $line$3"
    done < <(awk '/\/\/ FAULT/ { fault[++n] = $0 }
        !/^ *\/\// { for (i = 1; i <= n; i++) print NR ":" fault[i]; n = 0 }' "$ROOT/tests/emu/$2.cu")
}

# cells FILE COLUMN...: prints these columns of each row of a result table or list of events, with SEP between them
cells()
{
    awk -F '\t' -v names="${*:2}" -v sep="${SEP- }" '
        BEGIN { n = split(names, name, " ") }
        /^#/ { next }
        /^(week|event)\t/ { split("", at); for (i = 1; i <= NF; i++) at[$i] = i; next }
        { for (i = 1; i <= n; i++) printf "%s%s", name[i] in at ? $at[name[i]] : "", i < n ? sep : "\n" }' "$1"
}

# links PAGE: the targets of its links, without those in code, in comments and to the network
links()
{
    sed '/^```/,/^```/d; s/<!--.*-->//; /^<!-- slide: /,/-->/d; s/`[^`]*`//g' "$1" | grep -o '](\([^)]*\))' |
        sed 's/^](//; s/)$//' | grep -v '^https\?:'
}
# anchors PAGE: those of its headings, as GitHub makes them: the text of links, lowercase, without punctuation, with
# hyphens for blanks. The second heading of the same name ends in -1.
anchors()
{
    sed '/^```/,/^```/d' "$1" | sed -n 's/^##* //p' | sed 's/\[\([^]]*\)\]([^)]*)/\1/g; s/ *$//' |
        tr '[:upper:]' '[:lower:]' | sed 's/[^a-z0-9 _-]//g; s/ /-/g' |
        awk '{ n = seen[$0]++; print $0 (n ? "-" n : "") }'
}
# lost_headings PAGE: its links to headings that no page has
declare -A anchors_of=()
lost_headings()
{
    local link page

    for link in $(links "$1" | grep -e '^#' -e '\.md#' | sort -u); do
        page=${link%%#*}
        page=${page:+${1%/*}/$page}
        page=${page:-$1}
        [ -n "${anchors_of[$page]-}" ] || anchors_of[$page]=" $(anchors "$page" 2>/dev/null | tr '\n' ' ') "
        [[ ${anchors_of[$page]} == *" ${link#*#} "* ]] || echo "$link"
    done
}

# edited COLUMNS PROGRAM TABLE: a result table with these columns, too, after an awk program for each row, in which
# $at["name"] is a cell
edited()
{
    awk -F '\t' -v OFS='\t' -v columns="$1" '
        /^#/ { print; next }
        /^week/ {
            for (i = 1; i <= NF; i++) at[$i] = i
            n = split(columns, name, " ")
            for (i = 1; i <= n; i++) if (!(name[i] in at)) { at[name[i]] = NF + 1; $(NF + 1) = name[i] }
            print
            next
        }
        { for (i = 1; i <= n; i++) $at[name[i]] = $at[name[i]] }
        { '"$2"'; print }' "$3"
}

# Of make grade: the rows of a table of points; the row of one file; and a file's name as the table shows it.
points_rows() { sed '/^#/d' "$1" | sed 1d; }
points_row() { FILE=$2 awk -F '\t' '$1 == ENVIRON["FILE"]' "$1"; }
points_name()
{
    printf %s "$1" |
        perl -0777 -pe 's/\\/\\\\/g; s/([\0-\37\177])/sprintf "\\x%02x", ord $1/ge; s/^(?=[=+\-@#\x27])/\x27/'
}

# Leaves exercise 1 of tests/exercises and stages 0 to 3 in week 1 of TREE, whose grader builds in less time.
small_course()
{
    cd "$TREE/01_transpose" || exit 1
    rm -rf exercises stage[4-9]*.cu stage1[0-9]*.cu
    mkdir exercises
    cp "$ROOT/tests/exercises/exercise1_tile.cu" exercises
    sed -i '/^core:/d' messages
}

# copy_submissions FILE... FOLDER: copies them. A line "// Here: FUNCTION of FILE" becomes that function of a file in
# tests/exercises/submissions.
copy_submissions()
{
    perl -0777 -e '
        my ($sources, $to) = (shift, pop);
        sub text { open my $in, "<", $_[0] or die "$_[0]: $!\n"; readline($in) // "" }
        sub function {
            my ($name, $file) = @_;
            text("$sources/$file") =~ /^(\S[^\n]*\b$name\([^\n]*\n\{\n.*?^\}\n)/ms or die "no $name in $file\n";
            return $1;
        }
        for my $file (@ARGV) {
            my $text = text($file) =~ s{^// Here: (\w+) of (.*)\n}{function($1, $2)}gmer;
            open my $out, ">", "$to/" . $file =~ s{.*/}{}r or die "$to: $!\n";
            print $out $text;
        }' "$ROOT/tests/exercises/submissions" "$@"
}

have() { command -v "$1" >/dev/null; }
browser() { command -v chromium chromium-browser google-chrome chrome | head -n 1; }
# browse FILE [option...]: sets $out to the page, as its scripts make it
browse()
{
    run timeout 60 "$(browser)" --headless --no-sandbox --disable-gpu --user-data-dir="$TMP/profile" \
        --virtual-time-budget=10000 "${@:2}" --dump-dom "file://$1"
}
# make test FULL=1: the large sizes, too, and the commands that pages quote numbers from
is_full() { [ -n "${LADDER_TEST_FULL-}" ]; }
# in_turn PARTS [SHIFT]: with FULL=1, one of PARTS lines of stdin, each day others; otherwise, as with FULL=2, all lines
in_turn()
{
    awk -v full="${LADDER_TEST_FULL-}" -v parts="$1" -v shift="$((10#$(date +%j) + ${2-0}))" \
        'full != 1 || (NR + shift) % parts == 0'
}

# boxes NAME [FILE.pdf]: the words of figure.pdf are inside the page, apart, and at least 3.5 % of its height, the
# provenance 2.3 %. Higher than 5 % of a page of 16:9 are rotated words, whose boxes say nothing.
boxes()
{
    local name="$1: texts are inside the page, large enough and do not overlap"

    have pdftotext || { skip "$name" 'pdftotext is not installed (apt-get install poppler-utils)'; return; }
    is "$(pdftotext -bbox "${2:-figure.pdf}" - | awk '
        function get(name,   s) { s = $0; sub(".*" name "=\"", "", s); sub("\".*", "", s); return s + 0 }
        function overlap(i, j)
        {
            return y1[j] - y0[j] <= most && x0[i] < x1[j] - 1 && x0[j] < x1[i] - 1 &&
                y0[i] < y1[j] - 0.5 && y0[j] < y1[i] - 0.5
        }
        /<page / { W = get("width"); H = get("height"); most = 0.05 * W * 9 / 16 }
        /<word / {
            n++
            x0[n] = get("xMin"); y0[n] = get("yMin"); x1[n] = get("xMax"); y1[n] = get("yMax")
            t[n] = $0; gsub(/<[^>]*>/, "", t[n])
        }
        END {
            if (!n) print "no words"
            for (i = 1; i <= n; i++) {
                high = y1[i] - y0[i]
                if (x0[i] < 0 || y0[i] < 0 || x1[i] > W || y1[i] > H) print "clipped:", t[i]
                if (high < 0.035 * H && !(high >= 0.023 * H && y0[i] > 0.955 * H)) print "small:", t[i]
                for (j = 1; j < i && high <= most; j++) if (overlap(i, j)) print "overlap:", t[i], t[j]
            }
        }' | head -n 5)" '' "$name"
}
# The GPU's name, or nothing.
gpu() { have nvcc && nvidia-smi --query-gpu=name --format=csv,noheader 2>/dev/null | head -n 1; }

# kernels_only NVCC: sets `kernels` to settings for `make regs` with which this nvcc compiles kernels and no host code,
# in a third of the time.
kernels_only()
{
    cat >"$TMP/nvcc" <<END
#!/bin/sh
for word; do shift; [ "\$word" != -c ] || word=-cubin; set -- "\$@" "\$word"; done
"$1" "\$@" && as /dev/null -o "\$word"   # an empty object: the registers are in the messages
END
    chmod +x "$TMP/nvcc"
    kernels=(DEVICE=gpu NVCC="$TMP/nvcc" CUDA_HOME="$(dirname "$(dirname "$(realpath "$1")")")")
}

copy_sources()
{
    mkdir -p "$1"
    tar -C "$ROOT" -cf - --exclude=.git --exclude=build --exclude=results --exclude=./plots/out --exclude=.scratch . |
        tar -xf - -C "$1"
    find "$1" -type l -delete
}

# The tree from which all tests of one `make test` copy, and in which each target is built once, by one test at a time.
base=$LADDER_TEST_DIR/base
locked() { (flock 9; [ -e "$base" ] || copy_sources "$base"; "$@") 9>"$LADDER_TEST_DIR/lock"; }

# For tests that need only the tool: sets LADDER to the tool of that tree.
use_ladder()
{
    LADDER=$base/build/ladder
    locked make -s -C "$base" ./build/ladder
}

# For tests of the source pass alone: sets PASS to that of that tree.
use_pass()
{
    PASS=$base/build/source_pass
    if [ -n "${LADDER_TEST_PASS-}" ]; then PASS=$LADDER_TEST_PASS; return; fi   # of another machine (aarch64.t)
    locked make -s -C "$base/tests/emu" OUT="${PASS%/*}" "$PASS"
}

# core_stages: those of the week in the current folder
core_stages() { sed -n 's/^core: //p' messages; }
# sampled_stages: the first two of every six of them. A claim often compares two neighbors.
sampled_stages() { core_stages | xargs -n 1 | awk 'NR % 6 == 1 || NR % 6 == 2' | xargs; }
# build_once WEEK/TARGET: builds it for the CPU device in that tree, and keeps make's output. Its callers are locked.
# Beside make's targets there is `core`, the core stages.
build_once()
{
    local log=$LADDER_TEST_DIR/${1//\//.}.log targets=${1#*/}

    [ ! -e "$log" ] || return 0
    [ "$targets" != core ] || targets=$(cd "$base/${1%/*}" && core_stages)
    [ "$targets" != sampled ] || targets=$(cd "$base/${1%/*}" && sampled_stages)
    make -s -j2 -k -C "$base/${1%/*}" DEVICE=cpu $targets >"$log.new" 2>&1 || touch "$log.failed"
    mv "$log.new" "$log"
}

# emu_programs [PROGRAM...]: builds these programs of tests/emu, or all, once for all tests, with the CPU device of that
# tree. Sets `built` to their folder.
emu_programs()
{
    built=$LADDER_TEST_DIR/emu
    locked build_emu "${@/#/"$built"/}"
}
build_emu()
{
    build_once 01_transpose/shared
    if [ ! -e "$built" ]; then
        mkdir "$built"
        cp -a "$base"/build/{cpu/emu,source_pass} "$built"
    fi
    make -s -j2 -C "$ROOT/tests/emu" OUT="$built" CXX="${CXX:-g++}" FEW="$(is_full || echo -DFEW)" "$@"
}

# every_week TARGET: prints WEEK/TARGET for each week
every_week() { (cd "$ROOT" && ls -d [0-9][0-9]_*) | sed "s|\$|/$1|"; }
# ladders [FOLDER/]: prints the weeks that have stages, in FOLDER
ladders() { (cd "$ROOT" && ls -d [0-9][0-9]_*/runs) | sed "s|/runs||; s|^|${1:-}|"; }

# fresh_tree WEEK/TARGET...: sets TREE to a copy of the project with the tool, in which these targets are built for the
# CPU device. If the target `shared`, the objects of all programs of a week, fails or causes a warning, the test ends.
# Failures of other targets are found by the test, which makes them again; warnings by stages.t.
fresh_tree()
{
    local log target

    TREE="$TMP/the tree"   # the space tests that paths are quoted
    use_ladder
    copy_sources "$TREE"
    mkdir -p "$TREE/build"
    cp -a "$LADDER" "$TREE/build"
    for target; do
        log=$LADDER_TEST_DIR/${target%/*}.shared.log
        locked copy_built "$target" "$log"
        if [ -e "$log.failed" ] || grep -q warning "$log"; then
            fail "the shared objects of ${target%/*} build for the CPU device without a warning" "$(cat "$log")"
            done_testing
        fi
    done
}
copy_built()
{
    local week=${1%/*}

    build_once "$week/shared"
    [ -e "$2.failed" ] || build_once "$1"
    # Hard links: make replaces what it builds, and writes into no file of these.
    cp -alf "$base/$week/build" "$TREE/$week"
    find "$base/$week" -maxdepth 1 -type l -exec cp -a -t "$TREE/$week" {} +
    cp -alf "$base/build" "$TREE"
}

# For tests of other things than kernels: week 1 of TREE is checked at small sizes only.
check_small_sizes() { sed -i 's/ 65537x2 3x65541//; s/ 257x509 511x513//' "$TREE/01_transpose/transpose.c"; }
