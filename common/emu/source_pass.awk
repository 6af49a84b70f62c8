# The source pass: CUDA C in, C++ for g++ out, line for line. It rewrites what no macro can:
#
#   k<<<grid, block, bytes, stream>>>(args)   ->  emu_launch("k", k, grid, block, bytes, stream)(args)
#   __shared__ float a[4], b;                 ->  references to this block's copies
#   extern __shared__ float s[];              ->  a reference to the launch's dynamic shared memory
#   __device__ int n;  __constant__ float w[9];   ->  variables in sections of their own, which the runtime can tell apart
#   __global__ __launch_bounds__(256) ... {   ->  ... { emu_launch_bounds(256);
#   #pragma unroll N                          ->  #pragma GCC unroll N
#
# All of that in macros too. Headers that a source includes go past it: these things belong into the source itself.
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

# Position behind the comment, string or character that starts at i; i where none does.
function skip(i,    c, two, k, delimiter)
{
    c = substr(src, i, 1)
    two = substr(src, i, 2)
    if (two == "//")
        return i + index(substr(src, i), "\n") - 1
    if (two == "/*") {
        k = index(substr(src, i + 2), "*/")
        if (!k)
            fail("comment without end")
        return i + k + 3
    }
    if (c == "\"" && substr(src, i - 1, 1) == "R") {
        delimiter = ")" substr(src, i + 1, index(substr(src, i), "(") - 2) "\""
        return i + index(substr(src, i), delimiter) + length(delimiter) - 1
    }
    if (c == "\"" || (c == "'" && substr(src, i - 1, 1) !~ /[0-9a-fA-F]/)) {   # 1'000 is a number
        for (i++; i <= n && substr(src, i, 1) != c; i++)
            if (substr(src, i, 1) == "\\")
                i++
        return i + 1
    }
    return i
}

# Does the macro definition that i is in end at i?
function define_ends(i) { return in_define && substr(src, i, 1) == "\n" && substr(src, i - 1, 1) != "\\" }

# Position of the first `stop` outside brackets and comments from i on, or of the end of the macro definition around it; 0 if there is none.
function find(i, stop,    depth, c, behind)
{
    depth = 0
    while (i <= n) {
        if ((depth == 0 && substr(src, i, length(stop)) == stop) || define_ends(i))
            return i
        c = substr(src, i, 1)
        depth += (index("([{", c) > 0) - (index(")]}", c) > 0)
        behind = skip(i)
        i = behind > i ? behind : i + 1
    }
    return 0
}

# The source from i to before `end` on one line, without comments.
function plain(i, end,    behind, text)
{
    text = ""
    while (i < end) {
        behind = skip(i)
        if (behind == i)
            text = text substr(src, i++, 1)
        else {
            text = text (substr(src, i, 1) == "/" ? " " : substr(src, i, behind - i))
            i = behind
        }
    }
    gsub(/\\\n/, " ", text)
    return trim(text)
}

# Takes one of the words in `list`, an alternation, off the end of `out` and returns it; "" if there is none.
function take_word(list,    word)
{
    if (!match(out, "(^|[^A-Za-z_0-9])(" list ")[ \t\n]+$"))
        return ""
    word = substr(out, RSTART)
    if (word !~ "^(" list ")[ \t\n]") {
        word = substr(word, 2)
        RSTART++
    }
    out = substr(out, 1, RSTART - 1)
    while (sub(/\n/, "", word))
        out = out "\n"
    return trim(word)
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

# One __shared__ declaration, the text between that word and its semicolon: C++ on one line.
function shared(text, dynamic,    align, base, name, type, variable, dims, i, c, depth, angles, piece, pieces, k, result)
{
    decl = text
    align = take_alignment()
    decl = trim(decl)
    if (sub(/^extern /, "", decl))
        dynamic = 1
    if (braces == 0 && !in_define)
        fail("declare __shared__ variables inside the kernel: here the CPU device cannot find them")

    # Split at commas outside all brackets, template arguments included.
    pieces = 0
    depth = angles = 0
    piece = ""
    for (i = 1; i <= length(decl); i++) {
        c = substr(decl, i, 1)
        depth += (index("([{", c) > 0) - (index(")]}", c) > 0)
        if (depth == 0)
            angles += (c == "<") - (c == ">")
        if (c == "," && depth == 0 && angles == 0) {
            part[++pieces] = piece
            piece = ""
        } else
            piece = piece c
    }
    part[++pieces] = piece

    result = ""
    for (k = 1; k <= pieces; k++) {
        piece = trim(part[k])
        i = match(piece, /\[[^}]*$/)   # not those inside a struct
        dims = i ? substr(piece, i) : ""
        name = i ? trim(substr(piece, 1, i - 1)) : piece
        if (!match(name, /[A-Za-z_][A-Za-z_0-9]*$/))
            fail("cannot read this __shared__ declaration: " decl)
        if (k == 1)
            base = substr(name, 1, RSTART - 1)
        name = substr(name, RSTART)
        if (base ~ /^ *$/ || dims ~ /=/)
            fail("cannot read this __shared__ declaration: " decl)
        type = "emu_type_" (in_define ? "##" : "") name   # the name may be a parameter of the macro
        variable = "emu_var_" (in_define ? "##" : "") name
        result = result "typedef " base type dims "; "
        if (dynamic)
            result = result type " &" name " = *(" type " *)emu_dynamic_shared(\"" name "\"); "
        else
            result = result "static const emu_variable " variable " = { \"" name "\" }; " type " &" name " = *(" type " *)emu_shared(&" \
                variable ", sizeof(" type "), " (align == "" ? "alignof(" type ")" : align) "); "
    }
    return result
}

# Is what follows __device__ or __constant__ at i a variable? The first of ; = { ( outside other brackets decides.
function is_variable(i,    rest)
{
    rest = plain(i, i + 2000 < n ? i + 2000 : n)
    while (match(rest, /(alignas|__align__|__launch_bounds__|__attribute__) ?\((\([^()]*\)|[^()])*\)/) || match(rest, /\[[^][]*\]/))
        rest = substr(rest, 1, RSTART - 1) substr(rest, RSTART + RLENGTH)
    if (!match(rest, /[;={(]/) || substr(rest, RSTART, 1) == "(")
        return 0
    rest = substr(rest, 1, RSTART)
    return rest !~ /(^|[^A-Za-z_0-9])operator[^A-Za-z_0-9]/ && rest !~ /^ ?[{]/
}

# Is the variable that is declared around i a constant of the compiler? Such a one needs no place on the device, and may not share a section.
function is_const(i,    text)
{
    match(out, /[^;{}]*$/)
    text = trim(substr(out, RSTART)) " " plain(i, i + match(substr(src, i), /[;={]/))
    return text ~ /(^|[^A-Za-z_0-9])constexpr[^A-Za-z_0-9]/ || (text ~ /(^|[^A-Za-z_0-9])const[^A-Za-z_0-9]/ && text !~ /\*/)
}

# Remembers the kernel whose __global__ ends before i if its name alone does not say which function a launch calls, with which arguments.
function note_kernel(i,    rest, name, parameters)
{
    rest = plain(i, find(i, "{"))
    gsub(/__launch_bounds__ ?\([^()]*\)/, "", rest)
    if (!match(rest, /[A-Za-z_][A-Za-z_0-9]* ?\(/))
        return
    name = substr(rest, RSTART, RLENGTH - 1)
    sub(/ $/, "", name)
    parameters = substr(rest, RSTART + RLENGTH)
    sub(/\).*/, "", parameters)
    match(out, /[;}][^;}]*$/)
    if (substr(out, RSTART) ~ /(^|[^A-Za-z_0-9])template[ \t\n]*</ || parameters ~ /=/ || (name in kernels && kernels[name] != parameters))
        ambiguous[name] = 1
    kernels[name] = parameters
}

# Remembers what __launch_bounds__ says of the kernel whose __global__ ends before i: the kernel calls emu_launch_bounds() with it first.
function note_bounds(i,    body, head, start, depth, c)
{
    body = find(i, "{")
    if (!body || define_ends(body))
        return
    match(out, /[^;{}]*$/)
    head = trim(substr(out, RSTART)) " " plain(i, body)
    if (head ~ /;/ || !match(head, /__launch_bounds__ ?\(/))
        return
    start = i = RSTART + RLENGTH
    for (depth = 1; depth > 0 && i <= length(head); i++) {
        c = substr(head, i, 1)
        depth += (c == "(") - (c == ")")
    }
    bounds[body] = substr(head, start, i - start - 1)
}

# Position before the bracket in `out` that the one at i closes.
function before_bracket(i, open, close_,    depth, round, c)
{
    depth = round = 0
    for (; i > 0; i--) {
        c = substr(out, i, 1)
        if (open == "<")
            round += (c == ")") - (c == "(")   # in which < and > compare
        if (round == 0)
            depth += (c == close_) - (c == open)
        if (depth == 0)
            break
    }
    return i - 1
}

function before_blanks(i)
{
    while (i > 0 && substr(out, i, 1) ~ /[ \t\n\\]/)
        i--
    return i
}

# Takes what is launched off the end of `out` and returns it: a name, with template arguments, or an expression like p->kernels[3].
function take_kernel(    i, c, name)
{
    i = before_blanks(length(out))
    for (;;) {
        c = substr(out, i, 1)
        if (c == ">")
            i = before_blanks(before_bracket(i, "<", ">"))
        while (i > 0 && (c = substr(out, i, 1)) ~ /[])]/)
            i = before_bracket(i, c == "]" ? "[" : "(", c)
        while (i > 0 && substr(out, i, 1) ~ /[A-Za-z0-9_]/)
            i--
        if (i > 1 && (substr(out, i - 1, 2) == "::" || substr(out, i - 1, 2) == "->"))
            i -= 2
        else if (i > 0 && substr(out, i, 1) == ".")
            i--
        else
            break
    }
    name = substr(out, i + 1)
    out = substr(out, 1, i)
    if (trim(name) == "")
        fail("no kernel name before <<<")
    return name
}

function launch(i,    end, config, name, shown, plain_name)
{
    end = find(i + 3, ">>>")
    if (!end || define_ends(end))
        fail("<<< without >>>")
    config = substr(src, i + 3, end - i - 3)
    name = take_kernel()
    shown = in_define ? "EMU_TEXT(" name ")" : "\"" trim(name) "\""
    plain_name = name
    sub(/.*::/, "", plain_name)
    if (plain_name in ambiguous)
        name = "[](auto... emu_arguments) { " name "(emu_arguments...); }"
    out = out "emu_launch(" shown ", " name ", " config ")"
    line += newlines(config)
    return end + 3
}

# A directive, with its continuation lines, which starts at i; of a macro's definition only the word. Returns the position behind it.
function directive(i,    start, text)
{
    start = i
    if (match(substr(src, i, 80), /^#[ \t]*define/)) {
        in_define = 1
        braces_outside = braces
        out = out substr(src, i, RLENGTH)
        return i + RLENGTH
    }
    do
        i += index(substr(src, i), "\n")
    while (substr(src, i - 2, 1) == "\\")
    text = substr(src, start, i - start)
    line += newlines(text)
    # All branches of a condition start with as many open braces.
    if (text ~ /^#[ \t]*if/)
        braces_at_if[++ifs] = braces
    else if (text ~ /^#[ \t]*el/)
        braces = braces_at_if[ifs]
    else if (text ~ /^#[ \t]*endif/ && ifs > 0)
        ifs--
    if (match(text, /^#[ \t]*pragma[ \t]+unroll/)) {
        # g++ before release 15 refuses a count that depends on a template's arguments. Without a number: all of a loop, as far as it goes.
        text = substr(text, RLENGTH + 1)
        sub(/^[ \t(]+/, "", text)
        text = "#pragma GCC unroll " (text ~ /^[0-9]/ ? text + 0 : 64) "\n"
    }
    out = out text
    return i
}

function word_at(i,    word, k, text, words, before)
{
    match(substr(src, i, 256), /^[A-Za-z_][A-Za-z_0-9]*/)
    word = substr(src, i, RLENGTH)
    i += RLENGTH
    if (word == "__shared__") {
        k = find(i, ";")
        if (!k)
            fail("__shared__ without a declaration")
        words = ""
        while ((before = take_word("extern|static|volatile|const")) != "")
            words = words " " before
        text = plain(i, k)
        if (words ~ /volatile/)
            text = "volatile " text
        out = out shared(text, words ~ /extern/)
        text = substr(src, i, k - i)
        line += newlines(text)
        for (i = newlines(text); i > 0; i--)
            out = out (in_define ? "\\\n" : "\n")
        return define_ends(k) ? k : k + 1
    }
    if (word == "__global__") {
        note_kernel(i)
        note_bounds(i)
    }
    if ((word == "__device__" || word == "__constant__") && is_variable(i))
        word = is_const(i) ? "" : word == "__device__" ? "EMU_DEVICE_VARIABLE" : "EMU_CONSTANT_VARIABLE"
    out = out word
    return i
}

{ src = src $0 "\n" }

END {
    if (failed)
        exit 1
    n = length(src)
    line = 1
    braces = ifs = in_define = 0
    out = ""
    printf "#line 1 \"%s\"\n", FILENAME
    for (i = 1; i <= n; ) {
        c = substr(src, i, 1)
        start = i
        i = skip(i)
        if (i > start) {
            text = substr(src, start, i - start)
            line += newlines(text)
            out = out text
        } else if (c == "#" && !in_define) {
            i = directive(i)
        } else if (c ~ /[A-Za-z_]/) {
            i = word_at(i)
        } else if (substr(src, i, 3) == "<<<") {
            i = launch(i)
        } else {
            if (define_ends(i)) {
                in_define = 0
                braces = braces_outside
            }
            if (c == "\n")
                line++
            braces += (c == "{") - (c == "}")
            out = out c (i in bounds ? " emu_launch_bounds(" bounds[i] ");" : "")
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
