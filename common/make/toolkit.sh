#!/bin/sh
# toolkit.sh VERSION: installs this version of nvcc and its headers by pip, once, and prints the path of nvcc.
# toolkit.sh --newest: prints the newest version that pip knows.
#
#   make NVCC="$(common/make/toolkit.sh 13.5.37)" ARCH=sm_90 regs
#
# Versions that are not below have other versions of their parts.
root=$(cd "$(dirname "$0")/../.." && pwd)
case $1 in
13.0.48) cccl=13.0.50 ;;
13.5.37) cccl=13.3.5.0.6 ;;
--newest)
    python3 -m pip index versions nvidia-cuda-nvcc 2>/dev/null | sed -n '1s/.*(\(.*\)).*/\1/p'
    exit ;;
*)
    echo "toolkit.sh: '${1-}': expected 13.0.48, 13.5.37 or --newest" >&2
    exit 2 ;;
esac
to=$root/build/toolkits/$1
if [ ! -e "$to" ]; then
    mkdir -p "${to%/*}" || exit 1
    python3 -m pip install -q --disable-pip-version-check --root-user-action=ignore --no-deps --target "$to.$$" \
        nvidia-cuda-nvcc=="$1" nvidia-cuda-crt=="$1" nvidia-nvvm=="$1" nvidia-cuda-runtime=="$1" \
        nvidia-cuda-cccl==$cccl >&2 || { rm -rf "$to.$$"; exit 1; }
    # The oldest wheels have cicc where their nvcc does not look.
    if [ ! -e "$to.$$/nvidia/cu13/nvvm/bin/cicc" ]; then
        mkdir -p "$to.$$/nvidia/cu13/nvvm/bin" && ln -s ../../bin/cicc "$to.$$/nvidia/cu13/nvvm/bin/cicc"
    fi
    mv "$to.$$" "$to"
fi
echo "$to/nvidia/cu13/bin/nvcc"
