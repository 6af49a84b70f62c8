#!/usr/bin/env bash
# The CPU device's README lists what its tests show to run: the lines "// Supported:" of tests/emu.
. "$(dirname "$0")/lib.sh"

want=$("$ROOT/common/emu/supported.sh" --list)
got=$(sed -n '/^<!-- supported -->/,/^<!-- end -->/p' "$ROOT/common/emu/README.md" | grep '^- ')
[ "$(grep -c . <<<"$want")" -gt 15 ] && pass 'the tests name what is supported' || fail 'the tests name what is supported' "$want"
is "$got" "$want" 'the README lists the same (fill it in with common/emu/supported.sh)'
done_testing
