# Sourced by every test: TAP (Test Anything Protocol) functions, and a copy of the tree to work in, so that no test changes the checkout.
#
# `run command...` sets $status, and $out and $err to the text that the command printed. A test ends with `done_testing`.

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

# check_faults FOLDER PROGRAM SUFFIX: each "FAULT name: text" in tests/emu/PROGRAM.cu is reported by FOLDER/PROGRAM, at the next line of code.
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
    done < <(awk '!/^ *\/\// { for (i = 1; i <= n; i++) print NR ":" fault[i]; n = 0 } /\/\/ FAULT/ { fault[++n] = $0 }' "$ROOT/tests/emu/$2.cu")
}

# cells FILE COLUMN...: prints these columns of each row of a result table
cells() { awk -F '\t' -v names="${*:2}" '/^#/ { next } /^week/ { split("", at); for (i = 1; i <= NF; i++) at[$i] = i; n = split(names, name, " "); next }
    { s = ""; for (i = 1; i <= n; i++) s = s (i > 1 ? " " : "") (name[i] in at ? $at[name[i]] : ""); print s }' "$1"; }

# Of make grade: the rows of a table of points; and a name as the table shows it.
points_rows() { sed '/^#/d' "$1" | sed 1d; }
points_name() { perl -0777 -pe 's/\\/\\\\/g; s/([\0-\37\177])/sprintf "\\x%02x", ord $1/ge; s/^(?=[=+\-@#\x27])/\x27/' < <(printf %s "$1"); }

have() { command -v "$1" >/dev/null; }
# make test FULL=1: the large sizes, too, and the commands that pages quote numbers from
is_full() { [ -n "${LADDER_TEST_FULL-}" ]; }

# boxes NAME [FILE.pdf]: the words of figure.pdf are inside the page, apart, and at least 3.5 % of its height, the provenance 2.3 %. Higher than
# 5 % of a page of 16:9 are rotated words, whose boxes say nothing.
boxes()
{
    have pdftotext || { skip "$1: texts are inside the page, large enough and do not overlap" 'pdftotext is not installed (apt-get install poppler-utils)'; return; }
    is "$(pdftotext -bbox "${2:-figure.pdf}" - | awk '
        function get(name,   s) { s = $0; sub(".*" name "=\"", "", s); sub("\".*", "", s); return s + 0 }
        /<page / { W = get("width"); H = get("height"); most = 0.05 * W * 9 / 16 }
        /<word / { n++; x0[n] = get("xMin"); y0[n] = get("yMin"); x1[n] = get("xMax"); y1[n] = get("yMax"); t[n] = $0; gsub(/<[^>]*>/, "", t[n]) }
        END {
            if (!n) print "no words"
            for (i = 1; i <= n; i++) {
                high = y1[i] - y0[i]
                if (x0[i] < 0 || y0[i] < 0 || x1[i] > W || y1[i] > H) print "clipped:", t[i]
                if (high < 0.035 * H && !(high >= 0.023 * H && y0[i] > 0.955 * H)) print "small:", t[i]
                for (j = 1; j < i && high <= most; j++)
                    if (y1[j] - y0[j] <= most && x0[i] < x1[j] - 1 && x0[j] < x1[i] - 1 && y0[i] < y1[j] - 0.5 && y0[j] < y1[i] - 0.5) print "overlap:", t[i], t[j]
            }
        }' | head -n 5)" '' "$1: texts are inside the page, large enough and do not overlap"
}

# The GPU's name, or nothing.
gpu() { have nvcc && nvidia-smi --query-gpu=name --format=csv,noheader 2>/dev/null | head -n 1; }

# kernels_only NVCC: sets `kernels` to settings for `make regs` with which this nvcc compiles kernels and no host code, in a third of the time.
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
    (cd "$ROOT" && tar -cf - --exclude=.git --exclude=build --exclude=results --exclude=./plots/out --exclude=.scratch .) | tar -xf - -C "$1"
    find "$1" -type l -delete
}

# The tree from which all tests of one `make test` copy. Its callers hold the lock.
make_base() { [ -e "$LADDER_TEST_DIR/base" ] || copy_sources "$LADDER_TEST_DIR/base"; }

# For tests that need only the tool: sets LADDER to the tool of that tree.
use_ladder()
{
    LADDER=$LADDER_TEST_DIR/base/build/ladder
    (flock 9; build_ladder) 9>"$LADDER_TEST_DIR/lock"
}
build_ladder() { make_base; make -s -C "$LADDER_TEST_DIR/base" ./build/ladder; }

# For tests of the source pass alone: sets PASS to that of that tree.
use_pass()
{
    PASS=$LADDER_TEST_DIR/base/build/source_pass
    (flock 9; make_base; make -s -C "$LADDER_TEST_DIR/base/tests/emu" OUT="${PASS%/*}" "$PASS") 9>"$LADDER_TEST_DIR/lock"
}

# build_once WEEK/TARGET: builds it for the CPU device in that tree, and keeps make's output.
build_once()
{
    local week=${1%/*} target=${1#*/} log=$LADDER_TEST_DIR/${1//\//.}.log

    [ ! -e "$log" ] || return 0
    make_base
    make -s -j2 -k -C "$LADDER_TEST_DIR/base/$week" DEVICE=cpu "$target" >"$log.new" 2>&1 || touch "$log.failed"
    mv "$log.new" "$log"
}

# emu_programs PROGRAM|all...: builds these programs of tests/emu once for all tests, with the CPU device of that tree. Sets `built` to their folder.
emu_programs()
{
    built=$LADDER_TEST_DIR/emu
    (
        flock 9
        build_once 01_transpose/shared
        [ -e "$built" ] || { mkdir "$built" && cp -a "$LADDER_TEST_DIR/base/build/cpu/emu" "$LADDER_TEST_DIR/base/build/source_pass" "$built"; }
        make -s -j2 -C "$ROOT/tests/emu" OUT="$built" CXX="${CXX:-g++}" $(for program; do [ "$program" = all ] && echo all || echo "$built/$program"; done)
    ) 9>"$LADDER_TEST_DIR/lock"
}

# every_week TARGET: prints WEEK/TARGET for each week
every_week() { (cd "$ROOT" && ls -d [0-9][0-9]_*) | sed "s|\$|/$1|"; }

# Sets TREE to a copy of the project with the tool, in which the given WEEK/TARGETs are built for the CPU device. If the target `shared`, the objects of
# all programs of a week, fails or causes a warning, the test ends. Failures of other targets are found by the test, which makes them again; warnings by
# stages.t.
fresh_tree()
{
    local built log

    TREE="$TMP/the tree"   # the space tests that paths are quoted
    copy_sources "$TREE"
    (flock 9; build_ladder; mkdir -p "$TREE/build"; cp -a "$LADDER_TEST_DIR/base/build/ladder" "$TREE/build") 9>"$LADDER_TEST_DIR/lock"
    for built; do
        log=$LADDER_TEST_DIR/${built%/*}.shared.log
        (
            flock 9
            build_once "${built%/*}/shared"
            [ -e "$log.failed" ] || build_once "$built"
            # Hard links: make replaces what it builds, and writes into no file of these.
            cp -alf "$LADDER_TEST_DIR/base/${built%/*}/build" "$TREE/${built%/*}"
            find "$LADDER_TEST_DIR/base/${built%/*}" -maxdepth 1 -type l -exec cp -a -t "$TREE/${built%/*}" {} +
            cp -alf "$LADDER_TEST_DIR/base/build" "$TREE"
        ) 9>"$LADDER_TEST_DIR/lock"
        if [ -e "$log.failed" ] || grep -q warning "$log"; then
            fail "the shared objects of ${built%/*} build for the CPU device without a warning" "$(cat "$log")"
            done_testing
        fi
    done
}

# For tests of other things than kernels: week 1 of TREE is checked at small sizes only.
check_small_sizes() { sed -i 's/ 65537x2 3x65541//; s/ 257x509 511x513//' "$TREE/01_transpose/transpose.c"; }
