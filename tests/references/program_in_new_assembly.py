def nothing(messages):
    return ""


DIVIDE = """```
next:   inp a, done      ; x
        inp b, done      ; y
        jeq b, 0, zero
        mov c, 0
again:  jlt a, b, print
        sub a, b
        add c, 1
        jmp again
zero:   mov c, 65535
print:  out c
        out a
        jmp next
done:   end
```"""

# cells 0.. hold the inputs, a is their number; then the smallest that is left is searched again and again
SELECT = """```asm
read:   inp b, sort
        put b, a
        add a, 1
        jmp read
sort:   mov c, 0            ; the smallest number that may still come
scan:   mov d, 0            ; cell
        mov e, 0            ; how often the best one was seen
look:   jeq d, a, found
        get b, d
        add d, 1
        jlt b, c, look      ; printed already
        jeq e, 0, better
        jeq b, f, same
        jlt b, f, better
        jmp look
better: mov f, b
        mov e, 0
same:   add e, 1
        jmp look
found:  jeq e, 0, stop
        out f
        out e
        mov c, f
        add c, 1
        jeq c, 0, stop      ; it was 65535
        jmp scan
stop:   end
```"""

RIGHT = {
    "TestProgramInNewAssemblyDivide": [
        f"Division by repeated subtraction, at most 65535 rounds:\n\n{DIVIDE}",
        """```text
; counts up while the rest is not below y
LOOP:
    INP d, STOP
    INP e, STOP
    MOV f, 0
    JEQ e, 0, BAD
TEST:
    JLT d, e, SHOW
    ADD f, 1
    SUB d, e
    JMP TEST
BAD:
    SUB f, 1        ; 0 - 1 is 65535 here
SHOW:
    OUT f
    OUT d
    JMP LOOP
STOP:
```""",
    ],
    "TestProgramInNewAssemblySort": [
        f"A selection sort that counts on the way:\n\n{SELECT}\n\nThe jump at the end is for 65535, which wraps to 0.",
        """Insertion sort into the cells from 1, then the runs are counted. `a` is the number of inputs.

```
in:     inp b, print
        mov c, a            ; shift what is larger up by one
shift:  jeq c, 0, place
        get d, c
        jlt b, d, up
place:  add c, 1
        put b, c
        add a, 1
        jmp in
up:     mov e, c
        add e, 1
        put d, e
        sub c, 1
        jmp shift

print:  mov c, 1
group:  jlt a, c, stop      ; behind the last
        get b, c
        mov d, 0
more:   add d, 1
        add c, 1
        jlt a, c, show
        get e, c
        jeq e, b, more
show:   out b
        out d
        jmp group
stop:   end
```""",
    ],
}

WRONG = {
    "TestProgramInNewAssemblyDivide": [
        nothing,
        DIVIDE.replace("        jeq b, 0, zero\n", ""),  # runs for ever
        DIVIDE.replace("        mov c, 0\n", ""),  # the quotients add up
        DIVIDE.replace("jlt a, b, print", "jlt b, a, print"),
        DIVIDE.replace("out c\n        out a", "out a\n        out c"),
        "```\nnext: inp a, done\ninp b, done\nmov c, a\ndiv c, b\nout c\njmp next\ndone: end\n```",  # no such instruction
        "Subtract y until it is larger than x; 65535 for y = 0.\n```\n; next: inp a, done\nend\n```",
    ],
    "TestProgramInNewAssemblySort": [
        nothing,
        SELECT.replace("        jeq c, 0, stop      ; it was 65535\n", ""),
        SELECT.replace("        mov e, 0\nsame:", "same:"),
        SELECT.replace("        jlt b, c, look      ; printed already\n", ""),
        SELECT.replace("        out e\n", ""),
        SELECT.replace("        jeq e, 0, better\n", ""),  # compares with what was left in f
        "Read them, sort them ascending, print each once with its count:\n```\nread: inp a, stop\nout a\nout 1\njmp read\nstop: end\n```",
    ],
}
