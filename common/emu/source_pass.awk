# The source pass: CUDA C in, C++ for g++ out, line for line. It rewrites what no macro can:
#
#   k<<<grid, block, bytes, stream>>>(args)   ->  emu_launch("k", k, grid, block, bytes, stream)(args)
#   __shared__ float a[4], b;                 ->  references to this block's copies
#   extern __shared__ float s[];              ->  a reference to the launch's dynamic shared memory
#   __device__ int n;  __constant__ float w[9];   ->  variables in sections of their own, which the runtime can tell apart
#   #pragma unroll N                          ->  #pragma GCC unroll N
#
# Usage: awk -f source_pass.awk stage.cu > stage.cpp. POSIX awk; a source that it cannot handle ends it with status 1 and one line.

function fail(what)
{
    printf "%s:%d: %s\n", FILENAME, line, what > "/dev/stderr"
    failed = 1
    exit 1
}

function newlines(s) { return gsub(/\n/, "\n", s) }

function trim(s)
{
    gsub(/[ \t\n]+/, " ", s)
    sub(/^ /, "", s)
    sub(/ $/, "", s)
    return s
}

# Position of the first character of `stops` at bracket depth 0 in src from i on; 0 if there is none.
function find(i, stops,    depth, c)
{
    depth = 0
    for (; i <= n; i++) {
        c = substr(src, i, 1)
        if (depth == 0 && index(stops, c))
            return i
        if (index("([{", c))
            depth++
        if (index(")]}", c))
            depth--
    }
    return 0
}

# Removes one alignas(...) or __align__(...) from `decl` (a global) and returns its argument, "" if there is none.
function take_alignment(    start, i, depth, c, argument)
{
    if (!match(decl, /(alignas|__align__)[ \t\n]*\(/))
        return ""
    start = RSTART
    depth = 1
    for (i = RSTART + RLENGTH; depth > 0 && i <= length(decl); i++) {
        c = substr(decl, i, 1)
        depth += (c == "(") - (c == ")")
    }
    argument = substr(decl, RSTART + RLENGTH, i - RSTART - RLENGTH - 1)
    decl = substr(decl, 1, start - 1) " " substr(decl, i)
    return argument
}

# One __shared__ declaration, the text between that word and its semicolon: C++ with as many newlines.
function shared(text, dynamic,    align, lines, base, name, dims, i, c, depth, piece, pieces, k, result)
{
    lines = newlines(text)
    decl = text
    align = take_alignment()
    decl = trim(decl)
    if (sub(/^extern /, "", decl))
        dynamic = 1
    if (braces == 0)
        fail("declare __shared__ variables inside the kernel: here the CPU device cannot find them")

    # Split at commas outside all brackets, template arguments included.
    pieces = 0
    depth = 0
    piece = ""
    for (i = 1; i <= length(decl); i++) {
        c = substr(decl, i, 1)
        depth += (index("([{<", c) > 0) - (index(")]}>", c) > 0)
        if (c == "," && depth == 0) {
            part[++pieces] = piece
            piece = ""
        } else
            piece = piece c
    }
    part[++pieces] = piece

    result = ""
    for (k = 1; k <= pieces; k++) {
        piece = trim(part[k])
        i = index(piece, "[")
        dims = i ? substr(piece, i) : ""
        name = i ? trim(substr(piece, 1, i - 1)) : piece
        if (!match(name, /[A-Za-z_][A-Za-z_0-9]*$/))
            fail("cannot read this __shared__ declaration: " decl)
        if (k == 1)
            base = substr(name, 1, RSTART - 1)
        name = substr(name, RSTART)
        if (base ~ /^ *$/ || dims ~ /=/)
            fail("cannot read this __shared__ declaration: " decl)
        result = result "typedef " base "emu_type_" name dims "; "
        if (dynamic)
            result = result "emu_type_" name " &" name " = *(emu_type_" name " *)emu_dynamic_shared(\"" name "\"); "
        else
            result = result "static const emu_variable emu_var_" name " = { \"" name "\" }; emu_type_" name " &" name \
                " = *(emu_type_" name " *)emu_shared(&emu_var_" name ", sizeof(emu_type_" name "), " \
                (align == "" ? "alignof(emu_type_" name ")" : align) "); "
    }
    while (lines-- > 0)
        result = result "\n"
    return result
}

# Is what follows __device__ or __constant__ at i a variable? Its first of ; = { ( outside alignment and template brackets decides.
function is_variable(i,    rest, c)
{
    rest = substr(src, i, 2000)
    while (match(rest, /(alignas|__align__|__launch_bounds__)[ \t\n]*\([^()]*\)/))
        rest = substr(rest, 1, RSTART - 1) substr(rest, RSTART + RLENGTH)
    if (!match(rest, /[;={(]/))
        return 0
    c = substr(rest, RSTART, 1)
    return c == ";" || c == "="
}

# Takes the kernel's name, with template arguments, off the end of `out` and returns it.
function take_kernel(    i, depth, c, name)
{
    i = length(out)
    while (i > 0 && substr(out, i, 1) ~ /[ \t\n]/)
        i--
    if (substr(out, i, 1) == ">")
        for (depth = 0; i > 0; i--) {
            c = substr(out, i, 1)
            depth += (c == ">") - (c == "<")
            if (depth == 0) {
                i--
                break
            }
        }
    while (i > 0 && substr(out, i, 1) ~ /[A-Za-z0-9_:.]/)
        i--
    name = substr(out, i + 1)
    out = substr(out, 1, i)
    if (trim(name) == "")
        fail("no kernel name before <<<")
    return name
}

function launch(i,    end, depth, c, config, name, shown)
{
    depth = 0
    for (end = i + 3; end <= n; end++) {
        c = substr(src, end, 1)
        if (depth == 0 && substr(src, end, 3) == ">>>")
            break
        depth += (index("([{", c) > 0) - (index(")]}", c) > 0)
    }
    if (end > n)
        fail("<<< without >>>")
    config = substr(src, i + 3, end - i - 3)
    name = take_kernel()
    shown = trim(name)
    out = out "emu_launch(\"" shown "\", " name ", " config ")"
    line += newlines(config)
    return end + 3
}

{ src = src $0 "\n" }

END {
    if (failed)
        exit 1
    n = length(src)
    line = 1
    braces = 0
    out = ""
    printf "#line 1 \"%s\"\n", FILENAME
    for (i = 1; i <= n; ) {
        c = substr(src, i, 1)
        two = substr(src, i, 2)
        start = i
        if (two == "//") {
            i += index(substr(src, i), "\n") - 1
            out = out substr(src, start, i - start)
        } else if (two == "/*") {
            k = index(substr(src, i + 2), "*/")
            if (!k)
                fail("comment without end")
            i += k + 3
            text = substr(src, start, i - start)
            line += newlines(text)
            out = out text
        } else if (c == "\"" || (c == "'" && substr(src, i - 1, 1) !~ /[0-9a-fA-F]/)) {
            for (i++; i <= n && substr(src, i, 1) != c; i++)
                if (substr(src, i, 1) == "\\")
                    i++
            i++
            out = out substr(src, start, i - start)
        } else if (c == "#") {
            # A directive, with its continuation lines.
            do {
                k = index(substr(src, i), "\n")
                i += k
            } while (substr(src, i - 2, 1) == "\\")
            text = substr(src, start, i - start)
            line += newlines(text)
            if (text ~ /^#[ \t]*pragma[ \t]+unroll/) {
                sub(/pragma[ \t]+unroll/, "pragma GCC unroll", text)
                if (text ~ /unroll[ \t]*(\/\/.*)?\n$/)
                    sub(/unroll/, "unroll 64", text)
            }
            out = out text
        } else if (c ~ /[A-Za-z_]/) {
            match(substr(src, i, 256), /^[A-Za-z_][A-Za-z_0-9]*/)
            word = substr(src, i, RLENGTH)
            i += RLENGTH
            if (word == "__shared__") {
                k = find(i, ";")
                if (!k)
                    fail("__shared__ without a declaration")
                dynamic = sub(/extern[ \t\n]*$/, "", out)
                text = substr(src, i, k - i)
                out = out shared(text, dynamic)
                line += newlines(text)
                i = k + 1
            } else if (braces == 0 && word == "__device__" && is_variable(i))
                out = out "EMU_DEVICE_VARIABLE"
            else if (braces == 0 && word == "__constant__")
                out = out "EMU_CONSTANT_VARIABLE"
            else
                out = out word
        } else if (substr(src, i, 3) == "<<<") {
            i = launch(i)
        } else {
            if (c == "\n")
                line++
            braces += (c == "{") - (c == "}")
            out = out c
            i++
        }
        # Hand over whole lines that no later construct can reach back into.
        if (length(out) > 4096 && match(out, /.*[;}]\n/)) {
            printf "%s", substr(out, 1, RLENGTH)
            out = substr(out, RLENGTH + 1)
        }
    }
    printf "%s", out
}
