#!/usr/bin/env bash
# The model of time in reports: --for, --model-rows, make FOR=, make run-file FOR=; machine code that is recorded.
# Programs in place of nvcc and nvdisasm write that of a file, so that the test needs neither.
. "$(dirname "$0")/lib.sh"

fresh_tree 01_transpose/shared
check_small_sizes
cd "$TREE/01_transpose" || exit 1
make -s DEVICE=cpu stage3
record=$TREE/common/model/code/sm_90a/01_transpose_stage3.sass
mv "$record" "$TMP/recorded"
printf '#!/bin/sh\nfor word; do [ "$last" != -o ] || echo cubin >"$word"; last=$word; done\n' >"$TMP/nvcc"
printf '#!/bin/sh\ncat "$DISASSEMBLY"\n' >"$TMP/nvdisasm"
chmod +x "$TMP/nvcc" "$TMP/nvdisasm"
tools=(NVCC="$TMP/nvcc" NVDISASM="$TMP/nvdisasm")
export DISASSEMBLY="$ROOT/tests/data/transpose_tile.sm_90a.sass"

# --- options
refused "--for 'h2000': no such GPU; expected one of .*\bt4, a100, .*h200" ./stage3 --for h2000
refused '--model-rows: needs --for' ./stage3 --model-rows
refused '--for and --check: choose one of them' ./stage3 --for h200 --check
refused '--for and --sms: choose one of them' ./stage3 --for h200 --sms 4
refused '--for and --claims: choose one of them' ./stage3 --for h200 --claims
refused 'gpu: expected a name' "$LADDER" gpu
is "$("$LADDER" gpu h100) $("$LADDER" gpu t4) $("$LADDER" gpu rtx4090)" 'sm_90a sm_75 sm_89' \
    'ladder gpu prints the architecture of a GPU'

# --- without machine code
ok 'a report without machine code' ./stage3 --for h200
like "$out" '^  model    .*; machine code estimated$' 'the machine code is estimated'
like "$out" '^    because  no machine code for sm_90a: make stage3 FOR=h200' 'it names what is missing'
like "$out" '^    error    ' 'and the error of estimates'
time_of() { ./stage3 --for h200 --model-rows "$@" | awk -F '\t' 'NR == 2 { printf "%.0f", 1000 * $9 }'; }
estimated=$(time_of)
run make -s run STAGES=stage3 FOR=h200 NVCC= NVDISASM=
like "$err" '^note: no machine code without nvcc nvdisasm; docs/start.md' \
    'make FOR= names the programs that are missing'
fails 2 'make FOR= with another name' make -s stage3 FOR=h2000
like "$err" 'FOR=h2000: no such GPU; expected one of' 'it lists the names'

# --- a stage
ok 'make stage3 FOR=h200' make -s stage3 FOR=h200 "${tools[@]}"
ok 'it writes the machine code' cmp build/code/sm_90a/stage3.sass "$DISASSEMBLY"
holds 'the estimate differs from the time with machine code by less than a quarter' \
    $((4 * (estimated > $(time_of) ? estimated - $(time_of) : $(time_of) - estimated))) -lt "$(time_of)"
row() { run ./stage3 --for h200 --model-rows "$@"; out=$(tr '\t' '|' <<<"$out"); }
row
like "$out" '^01_transpose[|]stage3[|]padding[|]float[|]16384x16384[|][|]NVIDIA H200[|]1[|][0-9.]+[|][0-9.]+[|]' \
    'a row at the default size of a GPU'
is "$(sed 's/[^|]//g' <<<"$out" | sort -u | tr -d '\n' | wc -c)" 23 'a row has as many fields as the header'
row --shmoo --size 256
is "$(grep -c '[|]model[|]ok[|][0-9.]*[|]GB/s[|].*[|]compiled$' <<<"$out")" 5 'with --shmoo, a row per size'
started=$(date +%s%N)
row --size 32768x65535
holds 'a row of 8.6 GB per array takes less than two seconds' $((($(date +%s%N) - started) / 1000000)) -lt 2000
like "$out" '[|]32768x65535[|].*[|][0-9.]+[|]' 'its size is in the row'
ok 'the report of a stage' ./stage3 --all --for h200 --size 2048
like "$out" '^  problem .* 1024x1024 ' 'it counts at the size of the CPU device'
like "$out" '^  model    NVIDIA H200: a model, not a measurement' 'it names the GPU'
like "$out" '^    transpose_tile<<<64x64, 32x32>>> +[0-9.]+ us  12 registers, [0-9]+ blocks? per SM' \
    'a line per launch'
like "$out" '^      DRAM +[0-9.e+]+ bytes +[0-9.]+ GB/s +[0-9.]+ us' 'a line per unit, with its rate'
like "$out" '^    limiter  [a-zA-Z]' 'what limits the kernel'
like "$out" '^    call     2048x2048: [0-9.]+ us in a stream, .* GB/s; recorded [0-9.]+ us: ratio [0-9.]+$' \
    'the recorded time, and the ratio'
run ./stage3 --for h200 --size 8191x77
unlike "$out" 'recorded .* ratio' 'without a recorded time, there is no ratio'
ok 'make run FOR=h200' make -s run STAGES=stage3 FOR=h200 "${tools[@]}"
like "$out" '^stage3 padding .*, model of h200: [0-9.]+ us in a stream' 'it prints a line per stage'
row --size 8191x777
disassembled=${out/%compiled/recorded}

# --- recorded machine code
"$LADDER" machine-code build/code/sm_90a/stage3.sass stage3_padding.cu >"$record"
touch -d '+1 minute' stage3_padding.cu
row --size 8191x777
is "$out" "$disassembled" 'without machine code that is newer than the stage, the recorded one gives the same row'
run ./stage3 --for h200
like "$out" '^  model    NVIDIA H200: .*; machine code as recorded$' 'the report says that it is recorded'
mv "$record" "$TMP/record" && cp "$TMP/recorded" "$record"
row --size 8191x777
is "$out" "$disassembled" 'so does the record of the course'
mv "$TMP/record" "$record"
unlike "$(<"$record")" "$ROOT|/home/|/usr/" 'a record has no paths of the machine that wrote it'
cp stage3_padding.cu "$TMP/stage3.cu"
echo '// a comment' >>stage3_padding.cu
row --size 8191x777
is "$out" "$disassembled" 'a comment makes no difference'
echo 'static int other;' >>stage3_padding.cu
run ./stage3 --for h200
like "$out" '^    because  the recorded machine code is not of stage3_padding.cu as it is now' \
    'the record of another source is not used'
cp "$TMP/stage3.cu" stage3_padding.cu
echo 'static int other;' >>transpose.h
run ./stage3 --for h200
like "$out" '^    because  the recorded machine code is not of' 'nor is it when a header has changed'
refused 'machine-code: expected a file of nvdisasm -g and the source' "$LADDER" machine-code
old=$(for file in "$ROOT"/common/model/code/sm_90a/*.sass; do
    name=${file##*/} && name=${name%.sass} && week=${name%_*}
    read -r _ _ words <"$file"
    [ "$("$LADDER" machine-code "$ROOT/$week/${name##*_}"_*.cu)" = "$words" ] || echo "$name"
done)
is "$old" '' 'all records are of the stages as they are: make record-code FOR=h200 in the folder of the week'
holds 'they have at most 2.65 MB' "$(cat "$ROOT"/common/model/code/sm_90a/*.sass | wc -c)" -le 2650000

# --- nvcc itself
if is_full && command -v nvcc >/dev/null && command -v nvdisasm >/dev/null; then
    for week in $(ladders); do
        ok "$week: make record-code" make -s -C "$TREE/$week" record-code FOR=h200
    done
    ok 'nvcc writes the machine code that is recorded' diff -r "$ROOT/common/model/code" "$TREE/common/model/code"
else
    skip 'nvcc writes the machine code that is recorded' 'only with FULL=1, nvcc and nvdisasm'
fi

# --- figures of modeled times
cd "$TREE/01_transpose" || exit 1
cp "$TMP/recorded" "$record" && cp "$ROOT/01_transpose/transpose.h" . && rm -r build/code
run make -s new N=12 NAME=mine FROM=3
run make -s new N=13 NAME=broken FROM=3
echo wrong >>stage13_broken.cu
run make -s plots FOR=h100 STAGES='stage3 stage12 stage13' NVCC= NVDISASM=
if have gnuplot; then
    figure=../plots/out/01_transpose_ladder_model_h100
    like "$out" '^01_transpose: 2 figures, modeled for h100, not measured$' \
        'make plots FOR=h100 draws the ladder and the shmoo plot'
    like "$out" '^01_transpose: stage13 is skipped: it is not built$' \
        'a stage that does not build is skipped, with the reason'
    is "$(ls ../plots/out/*.svg)" "$figure.svg
../plots/out/01_transpose_shmoo_model_h100.svg" 'both have files of their own'
    is "$(sed -n "s/^\([A-Z]*\) = '\([^:|]*\).*/\1 \2/p" $figure.gp | sort -u)" 'FORMAT svg'"'"'
PROVENANCE model of NVIDIA H100 80GB HBM3, not measured 
SUBTITLE pale
TITLE H100, modeled' 'title and provenance say that it is a model'
    like "$(<$figure.gp)" '"12 mine" [0-9]+ [0-9.]+ "[0-9.]+ TB/s"' 'it has the stage of the student'
    unlike "$(<$figure.gp)" 'memcpy|H200' 'and nothing that was measured'
    fails 2 'another name of a GPU is refused' make -s plots FOR=xyz
    is "$(grep -c '' <<<"$err") $(grep -o 'FOR=xyz: no such GPU' <<<"$err")" '1 FOR=xyz: no such GPU' 'in one line'
    fails 2 'at the top, too' make -s -C .. plots FOR=xyz
    like "$err" '^FOR=xyz: no such GPU; expected one of t4, ' 'which names the GPU'
fi
fails 77 'a figure of times that were not modeled is refused' "$LADDER" figure ladder --model t4 --week 01_transpose
like "$err" 'no modeled time; make plots FOR=t4 makes them' 'with the command that models them'
refused 'figure: --model h100: shows the modeled times of one week' "$LADDER" figure shmoo --model h100 --beside h200
for table in ladder shmoo; do
    is "$(awk -F '\t' '!/^#/ && $2 != "stage" { print $2, $18, $19, $NF }' build/model/h100.$table.tsv | sort -u)" \
        'stage12 model ok estimated
stage3 model ok recorded' "the table of the $table has the student's stage, too"
done

# --- any program
cd "$TREE" || exit 1
export DISASSEMBLY="$ROOT/tests/data/add.sm_75.sass"
cat >"$TMP/add.cu" <<'END'
#include <cstdio>
__global__ void add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        c[i] = a[i] + b[i];
}
__global__ void other(float *c) { c[threadIdx.x] = 1; }

int main(int argc, char **)
{
    constexpr int N = 1 << 16;
    float *a, *b, *c;

    cudaMalloc(&a, N * sizeof *a);
    cudaMalloc(&b, N * sizeof *b);
    cudaMalloc(&c, N * sizeof *c);
    cudaMemset(a, 0, N * sizeof *a);
    cudaMemset(b, 0, N * sizeof *b);
    if (argc > 1)
        return 0;
    other<<<1, 32>>>(c);
    for (int i = 0; i < 3; i++)
        add<<<N / 256, 256>>>(a, b, c, N);
    add<<<1, 256>>>(a, b, c + argc, N);
    puts("done");
    return 3;
}
END
run make -s run-file DEVICE=cpu FILE="$TMP/add.cu" FOR=t4 "${tools[@]}"
is "$status" 2 'the exit status of a program stays'
like "$out" '^done$' 'it runs'
like "$out" '^  model    .*T4: a model, not a measurement' 'the table follows, with the GPU'
like "$out" '^    3 x add<<<256, 256>>> +[0-9.]+ us ' 'equal launches are one line'
like "$out" '^    add<<<1, 256>>> +[0-9.]+ us ' 'another grid is another line'
like "$out" '^    other<<<1, 32>>> +unknown: the machine code has no kernel other' \
    'a kernel without machine code is named'
like "$out" '^      global loads +4096 requests, 4 sectors each' 'a launch has its counts'
like "$out" '^    unit, in add ' 'the units are those of the longest launch that is known'
like "$out" '^    program  5 launches: ' 'the sum of the launches'
run make -s run-file DEVICE=cpu FILE="$TMP/add.cu" ARGS=none FOR=t4 "${tools[@]}"
like "$out" '^    no launch' 'a program without a launch'
run make -s run-file DEVICE=cpu FILE="$TMP/add.cu" FOR=t4 NVCC= NVDISASM= TABLE="$TMP/times.tsv"
is "$(cut -f 1,7 "$TMP/times.tsv" | tr '\t\n' '  ')" 'kernel code other estimated add estimated add estimated ' \
    'TABLE= writes a row per launch'
like "$out" '^  model    .*T4: .*; machine code estimated' 'without nvcc the machine code is estimated'
like "$out" '^    3 x add<<<256, 256>>> +[0-9.]+ us ' 'each launch has a time'
run make -s run-file DEVICE=cpu FILE="$TMP/add.cu"
unlike "$out" 'model' 'without FOR there is no table'

# --- estimates of arithmetic: loops that nvcc unrolls
cat >"$TMP/loops.cu" <<'END'
#include <cstdio>
__global__ void products(const float *a, float *c)
{
    float sum[8][8] = {}, x[8], y[8], total = 0;

    for (int i = 0; i < 8; i++) {
        x[i] = a[32 * i + threadIdx.x];
        y[i] = a[32 * i + threadIdx.x + 256];
    }
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++)
            sum[i][j] += x[i] * y[j];
    for (int i = 0; i < 64; i++)
        total += sum[i / 8][i % 8];
    c[32 * blockIdx.x + threadIdx.x] = total;
}
__global__ void dots(const int *a, int *c)
{
    int sum = 0, v = a[threadIdx.x];

    for (int i = 0; i < 64; i++)
        sum = __dp4a(v, i, sum);
    c[32 * blockIdx.x + threadIdx.x] = sum;
}

int main(int argc, char **)
{
    float *a, *c;

    cudaMalloc(&a, 512 * sizeof *a);
    cudaMalloc(&c, 32768 * sizeof *c);
    cudaMemset(a, 0, 512 * sizeof *a);
    printf("%p %p\n", a, c);
    if (argc == 1)
        products<<<1024, 32>>>(a, c);
    else
        dots<<<1024, 32>>>((const int *)a, (int *)c);
    return cudaDeviceSynchronize();
}
END
unit() { make -s run-file DEVICE=cpu FILE="$TMP/loops.cu" FOR=t4 NVCC= NVDISASM= "${@:2}" 2>/dev/null |
    awk -v unit="$1" '$0 ~ "^ +" unit { print int($3 / 1024) }'; }
is "$(unit 'FMA pipe')" 144 'an outer product of 8 x 8: 64 FFMA per warp, then 64 sums, and a part of the addresses'
dots=$(unit 'instruction issue' ARGS=dots)
holds '64 dp4a per warp, in a loop' "$dots" -ge 64
holds 'each of which is no more than four instructions' "$dots" -le 256
run make -s run-file DEVICE=cpu FILE="$TMP/loops.cu" FOR=t4 NVCC= NVDISASM=
first=$out
run make -s run-file DEVICE=cpu FILE="$TMP/loops.cu" FOR=t4 NVCC= NVDISASM=
is "$out" "$first" 'arrays have the same addresses in every run, so a modeled time does not vary'
done_testing
