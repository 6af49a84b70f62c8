#!/usr/bin/env bash
# What stages and references claim of a GPU is what the recorded run found: every "// Expect (sm_...)" line and every line of a week's `claims`.
. "$(dirname "$0")/lib.sh"
use_ladder

judged=0
for table in "$ROOT"/plots/data/h200/*.ladder.tsv; do
    [ -f "$table" ] || continue
    week=${table##*/} week=${week%%.*}
    cd "$ROOT/$week" || exit 1
    # Other parts have what the ladder lacks.
    tables=
    for part in shmoo knobs sensitivity ways ladder; do [ ! -f "${table%ladder.tsv}$part.tsv" ] || tables="$tables ${table%ladder.tsv}$part.tsv"; done
    sources=$(ls stage*.cu ref_*.cu claims 2>/dev/null)
    ok "$week: no claim is refuted by the recorded run" "$LADDER" claims --device gpu $tables -- $sources
    is "$(grep -c . <<<"$out")" "$(cat $sources | grep -c -e '^// Expect (sm_' -e '^[a-z0-9_]* (sm_')" "$week: every claim is judged"
    is "$(grep 'not measured' <<<"$out")" '' "$week: no claim is about what was not recorded"
    judged=$((judged + $(grep -c '^  holds' <<<"$out")))
done

# Lower bounds: WEEK SIZE SHARE NAME...: of these stages at this size the bound is at least this share of the recorded time.
ok 'no recorded time is below its lower bound' "$LADDER" bounds
bounds=$out
like "$bounds" '^[0-9]{4,} of [0-9]{4,} times are not below their bound$' 'and all recorded runs were judged'
while read -r week size share names; do
    for name in $names; do
        got=$(awk -v week="$week" -v size="$size" -v name="$name" '$1 == week && $3 == name && $4 == size && /cold/ && NF == 10 { share = $9 } END { print share }' <<<"$bounds")
        is "$(awk -v got="$got" -v want="$share" 'BEGIN { print (got >= want && got <= 1) }')" 1 "$week: the bound of $name is $share of its time or more"
    done
done <<'EOF'
01_transpose 16384x16384 0.69 diagonal
01_transpose 16384x16384 0.70 thread_coarsening float4 swizzle raster_order tma any_shape aligned_stores
02_reduction 1073741824 0.90 grid_stride shuffle atomics vector_loads single_pass packed_atomic launch_config cache_hints
03_matmul 4096x4096x4096 0.80 tiled tiled32 bounds_checks
03_matmul 4096x4096x4096 0.70 register_double_buffer register_banks tma rasterization tile_shapes split_k stream_k tf32x3
04_convolution 32768x32768 0.90 shared global coalesced vectorized conflict_free
EOF
[ $judged != 0 ] || fail 'there are claims that hold'
done_testing
