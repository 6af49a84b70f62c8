#!/usr/bin/env bash
# What the stages expect of a GPU is what the recorded run found: every "// Expect (sm_...)" line, held against plots/data/h200.
. "$(dirname "$0")/lib.sh"

# claims.pl TABLE SOURCE...: a line for each claim about a GPU: holds, fails or lacks, then the source and the claim.
cat >"$TMP/claims.pl" <<'EOF'
use strict;
my ($table, @sources) = @ARGV;
my (%at, %row, $type);
sub words { join ' ', sort grep { $_ ne '' } split / /, $_[0] }   # of knobs or of a variant, in one order
open my $rows, '<', $table or die "$table: $!\n";
while (<$rows>) {
    chomp;
    next if /^#/ || $_ eq '';
    my @cell = split /\t/, $_, -1;
    if ($cell[0] eq 'week') { @at{@cell} = 0 .. $#cell; next }
    $type //= $cell[$at{type}];
    next if $cell[$at{status}] ne 'ok';
    $row{join ' ', @cell[@at{qw(stage type size mode)}], words($cell[$at{knobs}]), words(exists $at{variant} ? $cell[$at{variant}] : '')} = [@cell];
}
for my $source (@sources) {
    my ($own) = $source =~ /^(stage\d+|ref_\w+)/;
    open my $lines, '<', $source or die "$source: $!\n";
    while (<$lines>) {
        my ($about, $claim) = m{^// Expect \(sm_\d+, *([^)]*)\): *(.*?)\s*$} or next;
        my ($size, @items) = split /, */, $about;
        my ($mode, $of, $options, $lacks) = ('cold', $type, '', 0);
        for (@items) { if (/^(hot|cold)$/) { $mode = $_ } elsif (/^(int|float|double|uchar)$/) { $of = $_ } else { $options .= "$_ " } }
        $size = "${size}x$size" if $size !~ /x/ && !grep { / \Q$size\E / } keys %row;
        (my $sum = $claim) =~ s{(?:(stage\d+|ref_\w+)(?:\[([^]]*)\])?\.)?\b([a-z]\w*)\b}{
            my ($stage, $said, $column) = ($1 // $own, $2, $3);
            my @said = split / /, $said // $options;
            my $cell = $row{join ' ', $stage, $of, $size, $mode, words(join ' ', grep { /^[A-Z]/ } @said), words(join ' ', grep { !/^[A-Z]/ } @said)};
            my $value = $cell && exists $at{$column} ? $cell->[$at{$column}] : '';
            $lacks = 1 if $value eq '';
            $value eq '' ? 0 : $value }ge;
        my $holds = $lacks ? 0 : eval $sum;
        print $lacks ? 'lacks' : $holds ? 'holds' : 'fails', " $source: ($about): $claim [$sum]\n";
    }
}
EOF

judged=0
for table in "$ROOT"/plots/data/h200/*.ladder.tsv; do
    [ -f "$table" ] || continue
    week=${table##*/} week=${week%%.*}
    cd "$ROOT/$week" || exit 1
    # Other parts have what the ladder lacks.
    others=
    for part in shmoo knobs sensitivity; do [ ! -f "${table%ladder.tsv}$part.tsv" ] || others="$others ${table%ladder.tsv}$part.tsv"; done
    awk -f "$ROOT/common/make/merge.awk" $others "$table" >"$TMP/rows.tsv"
    ok "$week: claims are read" perl "$TMP/claims.pl" "$TMP/rows.tsv" stage*.cu $(ls ref_*.cu 2>/dev/null)
    is "$(grep -c . <<<"$out")" "$(cat stage*.cu $(ls ref_*.cu 2>/dev/null) | grep -c '^// Expect (sm_')" "$week: all of them"
    is "$(grep '^fails' <<<"$out")" '' "$week: none is refuted by the recorded run"
    is "$(grep '^lacks' <<<"$out")" '' "$week: none asks for what was not recorded"
    judged=$((judged + $(grep -c '^holds' <<<"$out")))
done
[ $judged != 0 ] || fail 'there are claims that hold'
done_testing
