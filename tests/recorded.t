#!/usr/bin/env bash
# What the stages expect of a GPU is what the recorded run found: every "// Expect (sm_...)" line, held against plots/data/h200.
. "$(dirname "$0")/lib.sh"

# claims.pl TABLE SOURCE...: a line for each claim about a GPU: holds, fails or lacks, then the source and the claim. A reference counts as it was
# timed in turn with the claim's own stage, whose row its row follows; where that stage was timed alone, as the median of its rows. In a claim of
# a reference's own all are medians, over the runs that have it.
cat >"$TMP/claims.pl" <<'EOF'
use strict;
my ($table, @sources) = @ARGV;
my (%at, %row, %run_of, %runs_of, $run, $type);
sub words { join ' ', sort grep { $_ ne '' } split / /, $_[0] }   # of knobs or of a variant, in one order
open my $rows, '<', $table or die "$table: $!\n";
while (<$rows>) {
    chomp;
    next if /^#/ || $_ eq '';
    my @cell = split /\t/, $_, -1;
    if ($cell[0] eq 'week') { @at{@cell} = 0 .. $#cell; next }
    $type //= $cell[$at{type}];
    $run = {} if $cell[$at{stage}] !~ /^ref_/;
    next if $cell[$at{status}] ne 'ok';
    my $key = join ' ', @cell[@at{qw(stage type size mode)}], words($cell[$at{knobs}]), words(exists $at{variant} ? $cell[$at{variant}] : '');
    $run_of{$key} = $run;
    $row{$key} = $run->{$key} = [@cell];
    push @{$runs_of{$key}}, $run;
}
# A cell of a stage or reference; '' where it is not known.
sub cell {
    my ($key, $own, $column) = @_;
    return '' if !$row{$key} || !exists $at{$column};
    return $row{$key}[$at{$column}] if $key !~ /^ref_/;
    return $run_of{$own}{$key}[$at{$column}] if $own !~ /^ref_/ && $run_of{$own}{$key};
    my @runs = grep { $own !~ /^ref_/ || $_->{$own} } @{$runs_of{$key}};
    my @all = sort { $a <=> $b } grep { $_ ne '' } map { $_->{$key}[$at{$column}] } @runs;
    return @all ? ($all[$#all / 2] + $all[@all / 2]) / 2 : '';
}
for my $source (@sources) {
    my ($own) = $source =~ /^(stage\d+|ref_\w+)/;
    open my $lines, '<', $source or die "$source: $!\n";
    while (<$lines>) {
        my ($about, $claim) = m{^// Expect \(sm_\d+, *([^)]*)\): *(.*?)\s*$} or next;
        my ($size, @items) = split /, */, $about;
        my ($mode, $of, $options, $lacks) = ('cold', $type, '', 0);
        for (@items) { if (/^(hot|cold)$/) { $mode = $_ } elsif (/^(int|float|double|uchar)$/) { $of = $_ } else { $options .= "$_ " } }
        # One number stands for as many equal sides as the problem has.
        ($size) = ((grep { my $sides = $_; grep { / \Q$sides\E / } keys %row } $size, "${size}x$size", "${size}x${size}x$size"), $size);
        my $key_of = sub {
            my ($stage, @said) = @_;
            join ' ', $stage, $of, $size, $mode, words(join ' ', grep { /^[A-Z]/ } @said), words(join ' ', grep { !/^[A-Z]/ } @said);
        };
        my $own_key = $key_of->($own, split / /, $options);
        (my $sum = $claim) =~ s{(?:(stage\d+|ref_\w+)(?:\[([^]]*)\])?\.)?\b([a-z]\w*)\b}{
            my ($stage, $said, $column) = ($1 // $own, $2, $3);
            my $value = cell($key_of->($stage, split / /, $said // $options), $own_key, $column);
            $lacks = 1 if $value eq '';
            $value eq '' ? 0 : $value }ge;
        my $holds = $lacks ? 0 : eval $sum;
        print $lacks ? 'lacks' : $holds ? 'holds' : 'fails', " $source: ($about): $claim [$sum]\n";
    }
}
EOF

# What a claim is held against is of the same run: 90 of 100 is 0.9, whatever the next run's is; stage3, timed alone, has the median, 70.
printf 'week\tstage\ttype\tsize\tknobs\tmode\tstatus\trate\n' >"$TMP/runs.tsv"
printf 'w\t%s\tint\t8\t\tcold\tok\t%s\n' stage1 90 ref_a 100 stage2 60 ref_a 40 ref_a 70 stage3 35 >>"$TMP/runs.tsv"
(
    cd "$TMP" || exit
    echo '// Expect (sm_90, 8): rate == 0.9 * ref_a.rate' >stage1_x.cu
    echo '// Expect (sm_90, 8): 2 * rate == ref_a.rate' >stage3_z.cu
    echo '// Expect (sm_90, 8): rate == 70' >ref_a.cu
)
ok 'claims of a table of three runs' sh -c 'cd "$1" && perl claims.pl runs.tsv stage1_x.cu stage3_z.cu ref_a.cu' - "$TMP"
is "$(cut -d' ' -f1 <<<"$out" | tr '\n' ' ')" 'holds holds holds ' 'are about the same run, or else the median'

judged=0
for table in "$ROOT"/plots/data/h200/*.ladder.tsv; do
    [ -f "$table" ] || continue
    week=${table##*/} week=${week%%.*}
    cd "$ROOT/$week" || exit 1
    # Other parts have what the ladder lacks.
    others=
    for part in shmoo knobs sensitivity ways; do [ ! -f "${table%ladder.tsv}$part.tsv" ] || others="$others ${table%ladder.tsv}$part.tsv"; done
    awk -f "$ROOT/common/make/merge.awk" $others "$table" >"$TMP/rows.tsv"
    ok "$week: claims are read" perl "$TMP/claims.pl" "$TMP/rows.tsv" stage*.cu $(ls ref_*.cu 2>/dev/null)
    is "$(grep -c . <<<"$out")" "$(cat stage*.cu $(ls ref_*.cu 2>/dev/null) | grep -c '^// Expect (sm_')" "$week: all of them"
    is "$(grep '^fails' <<<"$out")" '' "$week: none is refuted by the recorded run"
    is "$(grep '^lacks' <<<"$out")" '' "$week: none asks for what was not recorded"
    judged=$((judged + $(grep -c '^holds' <<<"$out")))
done
[ $judged != 0 ] || fail 'there are claims that hold'
done_testing
