#!/usr/bin/env bash
# make accepts, with -n, every make command that a page, the head of a stage or `make help` shows. readme.t checks the
# options of programs and runs the commands whose output pages quote. Without FULL=1: every eighth command.
. "$(dirname "$0")/lib.sh"

fresh_tree $(every_week shared)
cd "$TREE" || exit 1
export DEVICE=cpu EMU_PATIENCE=1
mkdir "$TMP/bin"
for name in srun gnuplot nvcc; do printf '#!/bin/sh\n[ "$1" != --list-gpu-code ] || echo sm_90\n' >"$TMP/bin/$name"; \
    done
chmod +x "$TMP/bin"/*
PATH=$TMP/bin:$PATH

targets=" $(for folder in . [0-9][0-9]_*; do make -s -C $folder help; done |
    sed -n 's/^  \([a-z-]*\) .*/\1/p' | tr '\n' ' ')"
# shown: the commands of stdin, one per line: in code blocks, in `code`, in heads and in the text of a target. Those
# with ... or a name in capitals are patterns, and words that name nothing are prose: readme.t finds misspelled targets.
shown()
{
    perl -e '
        my $targets = shift;
        while (<>) {
            if (/^```/) { $block = /^```(sh|console)?$/ && !$block; next }
            s/\s#.*// if $block;
            my @code = $block || m{^//} || /^  / ? ($_) : /`([^`]*)`/g;
            for (map { split /&&|;|\||\s{3,}|`|[:,] / } @code) {
                s/^[\s\$\/]*//; s/[\s).,:]*$//;
                next if !/^make( [\w=.\/,\@+-]+| \
                    \w+="[^"]*")+$/ || /\.\.\.|=[A-Z]|NN|=N\b|stage90|exercise20|make record$/;
                my @goals = grep { !/=|^-/ } split / /, s/ \w+="[^"]*"//gr =~ s/^make //r;
                print "$_\n" if !grep { index($targets, " $_ ") < 0 && \
                    !/^([0-9]+_\w+\/|stage[0-9]|exercise[0-9]|demo_|ref_)/ } @goals;
            }
        }' "$targets"
}
# accepted DEVICE FOLDER COMMAND; DEVICE: cpu, or settings for a GPU
accepted()
{
    (cd "$2" && eval "make -n DEVICE=$1 ${3#make}") >/dev/null 2>"$TMP/err" </dev/null
}

# Files that a reader has made before: a new stage, the file of an exercise, a submission
for page in [0-9][0-9]_*/*.md docs/*.md README.md; do
    folder=${page%/*}
    [ -e "$folder/claims" ] || folder=01_transpose
    grep -oh 'make new N=[0-9]* NAME=[a-z_]* FROM=[0-9]*' "$page" | sort -u | while read -r command; do (cd \
        "$folder" && $command); done
done >/dev/null 2>&1
for week in [0-9][0-9]_*; do (cd "$week" && make exercise N=1) >/dev/null; done

all=0
# accepted_in COMMAND FOLDER...: in one of the folders, of which the last one that accepted a command is tried first.
# Sets why: the reason of the first folder.
last=
accepted_in()
{
    local command=$1 device folder folders
    shift
    folders=" $* "
    case $folders in *" $last "*) folders="$last ${folders/ $last / }" ;; esac
    why=
    for device in cpu 'gpu NVCC=nvcc ARCH=sm_90'; do
        for folder in $folders; do
            ! accepted "$device" "$folder" "$command" || { last=$folder; return 0; }
            why=${why:-$(head -n 1 "$TMP/err")}
        done
    done
    return 1
}
# check NAME FOLDER...: each command of stdin is accepted in one of these folders. Goals without settings in one call,
# because that takes less time; each alone if it is refused.
check()
{
    local name=$1 command refused= together
    shift
    shown | sort -u >"$TMP/all"
    all=$((all + $(wc -l <"$TMP/all")))
    awk -v each="$(is_full && echo 1 || echo 8)" 'NR % each == 0' "$TMP/all" >"$TMP/shown"
    together=$(grep -x 'make \(stage\|exercise\|demo_\)[a-z0-9_]*' "$TMP/shown")
    ! accepted_in "make ${together//make/}" "$1" || grep -v -x -F -e "$together" "$TMP/shown" >"$TMP/others"
    [ -z "$together" ] || mv "$TMP/others" "$TMP/shown" 2>/dev/null
    while read -r command; do
        accepted_in "$command" "$@" || refused=$refused$command:\ $why$'\n'
    done <"$TMP/shown"
    is "$refused" '' "make accepts the commands of $name"
}
weeks=$(echo [0-9][0-9]_*)
for week in $(ladders); do
    check "the heads of $week" "$week" . < <(cat "$week"/stage*.cu $(ls "$week"/demo*.cu 2>/dev/null))
    check "the pages of $week" "$week" . $weeks < <(cat "$week"/*.md)
done
check 'the other pages' . $weeks < <(cat README.md CONTRIBUTING.md docs/*.md plots/README.md common/emu/README.md)
for folder in . 01_transpose; do
    check "make help in $folder" $folder < <(COLUMNS=10000 make -s -C $folder help | grep -o 'make [^;:,]*' | sed \
        's/^/  /')
done
[ $all -gt 200 ] && pass 'the commands are found' || fail 'the commands are found' "$all"
done_testing
