#!/usr/bin/env bash
# Sizes at the limits of a week's contract, also with knobs that lower them: a stage computes them, or refuses them with
# the reason; the contract's text names the limits that the harness has.
. "$(dirname "$0")/lib.sh"

fresh_tree 01_transpose/shared 04_convolution/stage1
cd "$TREE/01_transpose" || exit 1
tiles='at most 65535 tiles of'
stages="stage3 stage6$(is_full && echo ' stage2 stage4 stage5 stage10')"
ok 'stages build with a tile of 16' make -s -j2 DEVICE=cpu $stages TILE=16
for stage in $stages; do
    rows=1048577x3 fits=1048560x1
    [ $stage != stage6 ] || { rows=3x1048577 fits=1x1048560; }
    fails 77 "$stage: TILE=16: a grid of 65537 blocks along y is not launched" ./$stage --check --size $rows
    like "$out" "$tiles (rows|columns): take a larger TILE" "$stage: it says why, and what to do"
    ok "$stage: TILE=16: 65535 blocks along y" ./$stage --check --size $fits
done
like "$(grep '^// Any rows' transpose.h)" ' 1 to 2097120 ' 'the contract of week 1 names its limit: 65535 tiles of 32'

cd ../04_convolution || exit 1
refused 'the height must be at most 524280, the width below 2\^31' ./stage1 --size 524281x5
like "$(cat convolution.h)" '^// Heights are at most 524280 ' 'the contract of week 4 names the same height'

# A variable that the task of an exercise reads must have a value: g++ says which has none.
cd ../01_transpose || exit 1
ok 'exercise 8 is written' make -s DEVICE=cpu exercise N=8
ok 'exercise 8 builds as given' make -s DEVICE=cpu exercise8
unlike "$out$err" warning 'the task of exercise 8 reads no uninitialized variable'
# No object is read through a pointer to another type: the bits are copied. A vec16<T> is a struct of Ts, and its lvalue
# may alias them.
is "$(grep -n '^ *return \*(const [a-z0-9<>A-Z]* \*)&' "$ROOT"/0*/*.cu "$ROOT"/0*/*.h |
    grep -v '(const vec16<T> \*)&in')" '' \
    'no stage returns a variable through a pointer to another type'
done_testing
