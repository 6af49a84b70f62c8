#!/usr/bin/env bash
# Hostile submissions that attack only when they run on a GPU: right on the CPU device, where they get 9 points. Here
# only the process with the GPU is tested: what it tries in a call of 1000 rows or more does not reach a file or another
# process, and a call that does nothing gets no rate.
. "$(dirname "$0")/lib.sh"
[ -n "$(gpu)" ] || skip_all 'no nvcc and GPU here'

TREE="$TMP/the tree"
copy_sources "$TREE"
cd "$TREE/01_transpose" || exit 1
make -s -j"$(nproc)" DEVICE=gpu for_grading >"$TMP/log" 2>&1 || fail 'the grader builds' "$(cat "$TMP/log")"
make -s solution N=1 HINT=no >"$TMP/solution.cu"
folder=build/attack

# attack NAME REGEX CODE: grades the solution with this code at the start of its host function; the grader's last line
# matches
attack()
{
    local key
    rm -rf "$folder"; mkdir -p "$folder"
    {
        printf '#include <%s>\n' fcntl.h signal.h stdio.h stdlib.h sys/mman.h sys/ptrace.h sys/socket.h sys/syscall.h \
            unistd.h
        CODE=$3 perl -pe 'print "    if (rows > 1000) { $ENV{CODE} }\n" if /^    dim3 block/' "$TMP/solution.cu"
    } >"$folder/submission.cu"
    for key in compile link; do sh -c "$(sed -n "s/^$key: //p" build/gpu/grading)" sh "$folder" >/dev/null 2>&1; done
    run timeout 100 build/gpu/grader --isolated "$folder/submission" --seconds 5 --no-results --bench --size 1024x2048
    like "$(tail -n 1 <<<"$out$err")" "$2" "$1"
}

attack 'an honest submission has a rate' ' GB/s ' ''
attack 'system()' 'stopped at .*a system call that is not allowed' 'if (system("touch marker_system")) puts("");'
attack 'fork()' 'the system call fork is not allowed' 'fork();'
attack 'execl()' 'the system call execve is not allowed' 'execl("/bin/sh", "sh", "-c", "touch marker_exec", (char *)0);'
attack 'socket()' 'the system call socket is not allowed' 'socket(AF_INET, SOCK_STREAM, 0);'
attack 'kill()' 'the system call kill is not allowed' 'kill(getppid(), SIGKILL);'
attack 'ptrace()' 'the system call ptrace is not allowed' 'ptrace(PTRACE_ATTACH, getppid(), 0, 0);'
attack 'memory of another process' 'the system call process_vm_readv is not allowed' \
    'syscall(SYS_process_vm_readv, getppid(), 0, 0, 0, 0, 0);'
attack 'unlink()' 'the system call unlink(at)? is not allowed' 'unlink("build/gpu/grader");'
attack 'executable memory' 'executable memory. is not allowed' \
    'mmap(0, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);'
attack 'a file that is written' ' GB/s ' 'if (open("marker_open", O_CREAT | O_WRONLY, 0600) >= 0) abort();'
attack 'a file that is read' ' GB/s ' 'if (open("exercises/exercise1_swizzle.cu", O_RDONLY) >= 0) abort();'
attack 'a reply of its own' 'the system call read or write' 'char z[400] = {}; if (write(3, z, sizeof z)) { }'
attack 'a call of eight that does nothing' 'did not write its output|wrong while timed' \
    'static int n; if (n++ % 8 == 7) return;'
attack 'a result that is kept per pointer' '^ |WRONG' 'static const float *last; if (last == in) return; last = in;'
attack 'work in a stream of its own is waited for' ' 0\.0[0-9]* of ref_memcpy' \
    'static cudaStream_t s; static float *x;
    if (!x) { cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking); cudaMalloc(&x, 1 << 28); }
    for (int i = 0; i < 20; i++) cudaMemsetAsync(x, i, 1 << 28, s);'
attack 'endless output' 'it printed more than' \
    'for (;;) puts("xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx");'
is "$(ls marker_* 2>/dev/null; [ -e build/gpu/grader ] || echo 'no grader')" '' \
    'no marker was written, and the grader is there'
done_testing
