# What every test here sources: TAP (Test Anything Protocol) and a copy of the tree to work in, so that no test touches the checkout.
#
# `run command...` leaves $status, and the files' text in $out and $err. A test ends with `done_testing`.

set -u
export LC_ALL=C
unset MAKEFLAGS MAKEOVERRIDES MFLAGS MAKELEVEL DEVICE ARCH RUN
ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# Shared by the tests of one `make test`; of its own for a test that is run alone.
if [ -z "${LADDER_TEST_DIR-}" ]; then
    LADDER_TEST_DIR=$(mktemp -d)
    trap 'rm -rf "$LADDER_TEST_DIR"' EXIT
fi
TMP=$(mktemp -d "$LADDER_TEST_DIR/test.XXXXXX")
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
# like TEXT EXTENDED-REGEX NAME: some line of the text matches
like() { if grep -E -q -e "$2" <<<"$1"; then pass "$3"; else fail "$3" "no match for: $2" "in:" "$1"; fi; }
unlike() { if grep -E -q -e "$2" <<<"$1"; then fail "$3" "a match for: $2" "in:" "$1"; else pass "$3"; fi; }

run()
{
    "$@" >"$TMP/out" 2>"$TMP/err" </dev/null
    status=$?
    out=$(cat "$TMP/out") err=$(cat "$TMP/err")
}
# ok NAME command...: it succeeds
ok() { local name=$1; shift; run "$@"; if [ $status = 0 ]; then pass "$name"; else fail "$name" "exit status $status of: $*" "$out" "$err"; fi; }
# fails WANTED-STATUS NAME command...
fails() { local want=$1 name=$2; shift 2; run "$@"; if [ $status = "$want" ]; then pass "$name"; else fail "$name" "exit status $status, not $want, of: $*" "$out" "$err"; fi; }

have() { command -v "$1" >/dev/null; }
# The GPU's name, or nothing.
gpu() { have nvcc && nvidia-smi --query-gpu=name --format=csv,noheader 2>/dev/null | head -n 1; }

copy_sources()
{
    mkdir -p "$1"
    (cd "$ROOT" && tar -cf - --exclude=.git --exclude=build --exclude=results --exclude=./plots/out --exclude=.scratch .) | tar -xf - -C "$1"
    find "$1" -type l -delete
}

# Sets TREE to a copy of the project. With an argument, what all programs of the CPU device share is already built there, once for all tests.
fresh_tree()
{
    TREE="$TMP/the tree"   # a space, as in many a home folder
    if [ $# = 0 ]; then
        copy_sources "$TREE"
        return
    fi
    (
        flock 9
        [ ! -e "$LADDER_TEST_DIR/built" ] || exit
        copy_sources "$LADDER_TEST_DIR/base"
        cd "$LADDER_TEST_DIR/base" || exit
        for week in [0-9][0-9]_*/; do
            make -s -j2 -C "$week" DEVICE=cpu shared >"$LADDER_TEST_DIR/log" 2>&1 && ! grep warning "$LADDER_TEST_DIR/log" ||
                { cp "$LADDER_TEST_DIR/log" "$LADDER_TEST_DIR/broken"; break; }
        done
        touch "$LADDER_TEST_DIR/built"
    ) 9>"$LADDER_TEST_DIR/lock"
    if [ -e "$LADDER_TEST_DIR/broken" ]; then
        fail 'what all programs share builds for the CPU device' "$(cat "$LADDER_TEST_DIR/broken")"
        done_testing
    fi
    cp -a "$LADDER_TEST_DIR/base" "$TREE"
}
