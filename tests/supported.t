#!/usr/bin/env bash
# The CPU device's README lists the supported features: the "// Supported:" lines in tests/emu.
. "$(dirname "$0")/lib.sh"

want=$("$ROOT/common/emu/supported.sh" --list)
got=$(sed -n '/^<!-- supported -->/,/^<!-- end -->/p' "$ROOT/common/emu/README.md" | grep '^- ')
[ "$(grep -c . <<<"$want")" -gt 15 ] && pass 'the tests list supported features' || fail 'the tests list supported features' "$want"
is "$got" "$want" 'the README lists the same features (update: common/emu/supported.sh)'
done_testing
