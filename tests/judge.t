#!/usr/bin/env bash
# `make judge FROM=folder`: runs the CUDA programs of a folder and compares with a file of labels.
. "$(dirname "$0")/lib.sh"

fresh_tree 01_transpose/shared
cd "$TREE" || exit 1
judge() { run make -s judge FROM="$TMP/all" "$@"; }
rows() { cut -f 1,2,5 build/judge.tsv; }

mkdir -p "$TMP/all/more"
# $1: the file, $2: statements of the kernel, $3: statements of main after the launch
program()
{
    cat >"$TMP/all/$1" <<END
#include <cstdio>
__global__ void k(int *a)
{
    $2
}
int main(int argc, char **argv)
{
    int *a, h;
    cudaMalloc(&a, 64 * sizeof(int));
    cudaMemset(a, 0, 64 * sizeof(int));
    k<<<1, 64>>>(a);
    cudaMemcpy(&h, a, sizeof h, cudaMemcpyDefault);
    ${3-}
}
END
}
program good.cu 'a[threadIdx.x]++;'
program more/raceBug.cu 'a[0] += 1;'
program more/boundsBug.cu 'a[threadIdx.x + 1] = 1;'
program midBug.cu 'a[threadIdx.x + 1] = 1;'
sed -i 's/    k<<<1, 64>>>/    printf("The kernel: "), fflush(stdout);\n&/' "$TMP/all/midBug.cu"
program argument.cu 'a[threadIdx.x]++;' 'return argc > 1 && argv[1][0] == VALUE ? 0 : 5;'
mkdir "$TMP/all/with blanks"
program 'with blanks/a b.cu' 'a[threadIdx.x]++;'
mv "$TMP/all/good.cu" "$TMP/all/with blanks"
program slow.cu 'a[threadIdx.x]++;' 'for (volatile int i = 0; argc; i = i + 1) ;'
echo 'int main() { return k; }' >"$TMP/all/broken.cu"
printf '# what each program does\n\n*race*\tfaulty,race\n*Bug*\tfaulty,race,bounds\n%s\n%s\n%s\n' \
    $'broken.cu\trefused' $'argument.cu\tcorrect\tx y\t-DVALUE=120' $'slow.cu\tfaulty' >"$TMP/labels"

judge LABELS="$TMP/labels" LIMIT=3
is "$status" 2 'make fails if a program differs from its label'
is "$(rows)" "program	verdict	agrees
argument.cu	right	yes
broken.cu	refused to build	yes
midBug.cu	reported	yes
more/boundsBug.cu	reported	yes
more/raceBug.cu	reported	yes
slow.cu	time limit	NO
with blanks/a b.cu	right	
with blanks/good.cu	right	" 'the table has a row per program, with the first label that matches'
like "$out" '^more/boundsBug.cu +reported +faulty,race,bounds +yes +boundsBug.cu:4: out of bounds' \
    'the table shows the report'
like "$out" '^midBug.cu +reported .* midBug.cu:4: out of bounds' 'a report may follow what the program has printed'
like "$out" '^3 of 4 faulty reported, 1 of 1 correct silent, 1 of 1 refused by the build$' 'the shares'
like "$out" '^2 without a label$' 'programs without a label are counted'
like "$err" '1 program differs from its label' 'the error says how many differ'

printf 'slow.cu\tfaulty\n*raceBug*\tfaulty,uninitialized\n' >"$TMP/labels"
rm "$TMP/all"/{slow,broken,argument}.cu "$TMP/all/with blanks/a b.cu"
judge LABELS="$TMP/labels"
is "$(rows | grep race)" 'more/raceBug.cu	reported	NO' 'a fault of another kind differs'
rm "$TMP/all/more/raceBug.cu" "$TMP/all/midBug.cu"
judge
is "$status" 0 'without labels, make succeeds'
like "$out" '^2 programs: 1 right, 1 reported$' 'without labels, verdicts are counted'

printf 'good.cu right\n' >"$TMP/labels"
judge LABELS="$TMP/labels"
like "$err" 'labels:1: expected PATTERN, a tab, and correct, faulty or refused' 'a line without a tab is refused'
printf 'good.cu\tright\n' >"$TMP/labels"
judge LABELS="$TMP/labels"
like "$err" "labels:1: 'right': expected correct, faulty or refused" 'another word is refused'
judge LIMIT=no
like "$err" 'LIMIT' 'a limit that is no number is refused'
run make -s judge
like "$err" '^judge: FROM is missing: make judge FROM=folder$' 'FROM is needed'
done_testing
