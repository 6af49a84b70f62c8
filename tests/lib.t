#!/usr/bin/env bash
# What a test prints if it fails.
. "$(dirname "$0")/lib.sh"

shown=$(LADDER_TEST_DIR=$TMP bash -c '. "$0"; ok name sh -c "echo reason >&2; exit 3" "$1"' "$ROOT/tests/lib.sh" \
    "$(printf %0300d 0)")
is "$(sed -n 1,2p <<<"$shown")" $'not ok 1 - name\n#   exit status 3, not 0: reason' \
    'a failed test prints its reason first'
is "$(sed -n 3p <<<"$shown" | wc -c)" 209 'then at most 200 characters of its command'
done_testing
