#!/usr/bin/env bash
# The claims of stages and references about a GPU hold in the recorded run: every "// Expect" line and
# every line of a week's `claims`.
. "$(dirname "$0")/lib.sh"
use_ladder

judged=0
for table in "$ROOT"/plots/data/*/*.ladder.tsv; do
    case $table in */cpu/*) continue ;; esac
    week=${table##*/} week=${week%%.*} gpu=${table%/*} gpu=${gpu##*/}
    cd "$ROOT/$week" || exit 1
    # Some claims need other parts than the ladder.
    tables=
    for part in shapes_why shapes skinny unaligned shmoo knobs sensitivity ways \
        bf16 bf16_sizes bf16_zeros bf16_why tf32 ladder; do
        [ ! -f "${table%ladder.tsv}$part.tsv" ] || tables="$tables ${table%ladder.tsv}$part.tsv"
    done
    sources=$(ls stage*.cu ref_*.cu claims 2>/dev/null)
    ok "$gpu $week: no claim is refuted by the recorded run" "$LADDER" claims --device gpu $tables -- $sources
    claims=$(sed '$d' <<<"$out")
    is "$(grep -c . <<<"$claims")" "$(cat $sources | grep -c -e '^// Expect ([^c]' -e '^[a-z0-9_]* ([^c]')" \
        "$gpu $week: every claim is listed"
    # Of the other GPUs, only what the figures compare is recorded.
    [ "$gpu" != h200 ] || is "$(grep -e 'not measured' -e '^  skipped' <<<"$claims")" '' \
        "$gpu $week: every claim is about recorded rows"
    judged=$((judged + $(grep -c '^  holds' <<<"$claims")))
done

# A recorded text can be dated and repeated, and a page, figure or test uses it.
for text in "$ROOT"/plots/data/h[12]00/*.txt; do
    name=${text##*/}
    like "$(head -n 1 "$text")" '^# NVIDIA H[12]00, .*20[0-9]{2}-[0-9]{2}-[0-9]{2}' \
        "$name names its device and its date"
    like "$(cat "$text")" 'make |^\$ |\.cu|program of its own' "$name names its command or its program"
    holds "$name is used" \
        -n "$(cd "$ROOT" && grep -rl --include='*.md' --include=figures -F "$name" docs 0* README.md)"
done

# The profile of a stage is of the kernel whose times are recorded. ncu runs a launch alone: where the power limit
# lowers the clock of many launches, they take up to 16 % longer. The profile is of the longest kernel; a call of these
# stages has several that take as long.
several='05_scan reduce_then_scan
05_scan three_kernels'
for table in "$ROOT"/plots/data/h[12]00/*.limiters.txt; do
    name=${table##*/} week=${name%%.*}
    is "$({ cells "$table" name size type gpu__time_duration.sum | sed 's/^/profile /'
        for rows in "${table%/*}/$week".*.tsv; do
            cells "$rows" name size type knobs mode median_us | grep ' cold [0-9]'
        done
    } | awk '$1 == "profile" { ns[$2, $3, $4] = $5; next }
        NF == 5 && ($1, $2, $3) in ns { ratio = $5 * 1000 / ns[$1, $2, $3]
            of[$1] = 1; if (ratio > 0.95 && ratio < 1.16) same[$1] = 1 }
        END { for (stage in of) if (!(stage in same)) print stage }' | sort)" "$(sed -n "s/^$week //p" <<<"$several")" \
        "$name: each profile takes as long as the stage does in the recorded rows"
done

# Lower bounds, as lines WEEK SIZE LIMIT SHARE NAME...: LIMIT limits these stages at this size, and their bound is at
# least SHARE of the recorded time.
is "$(grep -rlE '(^|[^A-Za-z0-9_.])/(home|root|tmp|work|mnt)/' "$ROOT/plots/data")" '' \
    'no recorded file has a path of the machine that recorded it'
ok 'no recorded time is below its lower bound' "$LADDER" bounds
bounds=$out
like "$bounds" '^[0-9]{4,} of [0-9]{4,} times are not below their bound$' 'the bounds of all recorded runs are computed'
while read -r week size limit share names; do
    for name in $names; do
        got=$(awk -v of="$week $name $size cold" '$1 " " $3 " " $4 " " $6 == of && NF == 10 { found = $10 " " $9 }
            END { print found }' <<<"$bounds")
        is "$(awk -v want="$limit $share" '
            { split(want, w); print ($1 == w[1] && $2 >= w[2] && $2 <= 1) ? want : $0 }' <<<"$got")" "$limit $share" \
            "$week: $name is limited as listed, and near its bound"
    done
done <<'EOF'
01_transpose 16384x16384 bandwidth 0.3 copy padding
01_transpose 16384x16384 stores 0.1 naive
01_transpose 16384x16384 wavefronts 0.5 coalesced
01_transpose 16384x16384 bandwidth 0.69 diagonal
01_transpose 16384x16384 bandwidth 0.70 thread_coarsening larger_tile raster_order float4 swizzle tma aligned_stores
02_reduction 1073741824 bandwidth 0.90 grid_stride shuffle cg_reduce atomics vector_loads contiguous_tile single_pass
02_reduction 1073741824 bandwidth 0.90 packed_atomic launch_config cache_hints
03_matmul 4096x4096x4096 wavefronts 0.80 tiled
03_matmul 4096x4096x4096 arithmetic 0.12 bounds_checks
03_matmul 4096x4096x4096 wavefronts 0.50 thread_coarsening register_tiling float4
03_matmul 4096x4096x4096 arithmetic 0.45 warp_tile multistage register_double_buffer split_k
03_matmul 4096x4096x4096 arithmetic 0.45 large_thread_tile hoisted_addresses
03_matmul 4096x4096x4096 arithmetic 0.70 fragments_ahead register_banks tile_shapes stream_k tf32x3
04_convolution 32768x32768 loads 0.2 naive
04_convolution 32768x32768 wavefronts 0.90 texture_tile
04_convolution 32768x32768 wavefronts 0.29 float_tile shared_tile vectorized conflict_free
04_convolution 32768x32768 bandwidth 0.24 sliding_window fp32_fma dp4a magic_number cvt_pack byte_permute warp_shuffle
04_convolution 32768x32768 bandwidth 0.24 prefetch tensor_core async_copy tma tile_size pdl l2_prefetch boxes
EOF
[ $judged != 0 ] || fail 'at least one claim holds'
done_testing
