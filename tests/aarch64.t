#!/usr/bin/env bash
# aarch64: a cross compiler builds the CPU device and programs, and the source pass passes its tests under qemu-user.
. "$(dirname "$0")/lib.sh"

is_full || skip_all 'FULL=1 builds for aarch64'
cross=aarch64-linux-gnu-g++
have $cross || skip_all "$cross is not installed (apt-get install g++-aarch64-linux-gnu)"
emulator=$(command -v qemu-aarch64 qemu-aarch64-static | head -n 1)

use_pass
# The source pass of this machine rewrites, the cross compiler does the rest.
ok 'the CPU device and three programs build' make -s -j2 -C "$ROOT/tests/emu" OUT="$TMP/arm" EMU_PASS="$PASS" \
    CXX=$cross "$TMP"/arm/{counts,hopper,faults}
unlike "$out$err" warning 'without a warning'
like "$(readelf -h "$TMP/arm/counts")" 'AArch64' 'they are programs for aarch64'

if [ -z "$emulator" ]; then
    skip 'the source pass of aarch64' 'qemu-aarch64 is not installed (apt-get install qemu-user)'
else
    ok 'the source pass builds' make -s -C "$ROOT/tests/emu" OUT="$TMP/pass" CXX=$cross "$TMP/pass/source_pass"
    printf '#!/bin/sh\nexec %s -L /usr/aarch64-linux-gnu %s "$@"\n' "$emulator" "$TMP/pass/source_pass" >"$TMP/emulated"
    chmod +x "$TMP/emulated"
    for program in counts hopper faults; do
        "$PASS" "$TMP/arm/$program.i" >"$TMP/here" 2>&1
        "$TMP/emulated" "$TMP/arm/$program.i" >"$TMP/there" 2>&1
        ok "$program.cu: the same result as on this machine" cmp "$TMP/here" "$TMP/there"
    done
    ok 'tests/sides.t passes' env LADDER_TEST_PASS="$TMP/emulated" LADDER_TEST_FULL= bash "$ROOT/tests/sides.t"
    unlike "$out" '^not ok' 'each of its tests passes'
fi
done_testing
