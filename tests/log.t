#!/usr/bin/env bash
# make log: a student's work log, a row per run with what was predicted.
. "$(dirname "$0")/lib.sh"
use_ladder
cd "$TMP" || exit
mkdir results
tabbed() { printf '%s\t' "${@:1:$#-1}"; printf '%s\n' "${!#}"; }
{
    echo '# date: 2026-01-02'
    tabbed week stage name size mode status rate unit ld_requests ld_sectors st_requests st_sectors \
        shared_requests shared_wavefronts
    tabbed 08_log stage3 padding 256x256 count ok '' GB/s 10 40 10 320 8 16
    tabbed 08_log ref_memcpy memcpy 256x256 cold ok 9 GB/s '' '' '' '' '' ''
    tabbed 08_log stage4 wide 256x256 cold wrong 1234.5 GB/s '' '' '' '' '' ''
} >run.tsv
ok 'ladder log' "$LADDER" log run.tsv 'a|b'
is "$out" 'results/log.md: 2 rows added; write a sentence into the last column' 'its rows are counted'
is "$(grep '^| 2' results/log.md)" '| 2026-01-02 | stage3 padding | 256x256 | right | 4 / 32 | 2 | - | a/b |  |
| 2026-01-02 | stage4 wide | 256x256 | wrong | - / - | - | 1234 GB/s | a/b |  |' \
    'a row has what was run, counted, measured and predicted'
sed -i 's/a.b |  |/a\/b | my sentence |/' results/log.md
ok 'ladder log again' "$LADDER" log run.tsv second
is "$(grep -c 'my sentence' results/log.md) $(grep -c second results/log.md) $(grep -c '^# Work log' results/log.md)" \
    '2 2 1' 'what the student wrote is kept'
refused 'expected TABLE PREDICTION' "$LADDER" log run.tsv
grep -v stage run.tsv | grep -v '^08' >empty.tsv
tabbed week stage mode status >>empty.tsv
fails 1 'a run without rows' "$LADDER" log empty.tsv x
fresh_tree 01_transpose/stage1
cd "$TREE/01_transpose" || exit
fails 2 'make log of no stage' make -s DEVICE=cpu log STAGE=stage99 PREDICT=x
like "$err" 'log: STAGE=stage99: expected a stage or exercise of this week' 'is refused'
ok 'a prediction may have any characters' make -s DEVICE=cpu log STAGE=stage1 ARGS='-n 64x64' \
    PREDICT=$'-4 "it\'s" `x` $(shell touch ran) $5\nmore'
like "$(tail -n 1 results/log.md)" '\| -4 "it.s" `x` \$\(shell touch ran\) \$5/more \|' 'and stands in the row'
holds 'and nothing in it is executed' ! -e ran
fails 2 'make record of times without a GPU' make -s NVCC= record TO=a100
like "$err" 'record: TO=a100: CPU, because there is no nvcc here; times need a GPU' 'is refused before it builds'
done_testing
