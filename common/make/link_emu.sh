#!/bin/sh
# link_emu.sh LIBRARY COMMON CXX PASS COMMAND...: links a program of the CPU device. If it needs LIBRARY (emu.mk), adds
# it, and builds it on all cores before if it is missing.
library=$1 common=$2 cxx=$3 pass=$4
shift 4
if [ ! -e "$library" ]; then
    messages=$(LC_ALL=C "$@" 2>&1)
    status=$?
    case $messages in
    *'undefined reference'*) ;;
    *) [ -z "$messages" ] || printf '%s\n' "$messages" >&2
       exit $status ;;
    esac
    # Of several programs that are linked at once, one builds it.
    lock=$(command -v flock) && lock="$lock ${library%/*}"
    MAKEFLAGS= $lock make -s -j "$(nproc 2>/dev/null || echo 2)" -f "$common/emu/emu.mk" COMMON="$common" CXX="$cxx" \
        EMU_PASS="$pass" EMU_OUT="${library%/*}" "$library" || exit 1
fi
"$@" "$library"
