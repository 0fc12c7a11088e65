from evaluator import *

DESCRIPTION = "Can the model implement an invented machine from its description?"
TAGS = ["code", "python", "assembly"]
DETERMINISTIC = True

question = """
Please write me a simulator for the little machine of our programming course: a python function run(source, inputs)
that returns the list of printed numbers.

The machine has registers A, B, C, D (0 at the start), a memory of cells numbered by any integers (0 at the start), and
a stack. Numbers are unbounded integers. One instruction a line; names of instructions and registers may be in upper or
lower case; a ; starts a comment; empty lines don't matter; a line may begin with labels (a name and a colon), also with
several, also with nothing behind. In the table r is a register, v a register or a decimal number such as 12 or -3,
L the name of a label. Operands are separated by commas.

    set r, v       r = v
    load r, v      r = memory[v]
    store v, r     memory[v] = r
    add r, v       r = r + v
    sub r, v       r = r - v
    mul r, v       r = r * v
    div r, v       divides by v (not 0) and rounds down; r gets the quotient, D the rest; if r is D, it gets the quotient
    swap r, r      exchanges the two
    push v         onto the stack
    pop r          from the stack; a pop from the empty stack stops the program
    call L         pushes the number of the next instruction (the first has number 0), jumps to L
    ret            pops a number and jumps there; with an empty stack stops the program
    jump L         jumps
    jz r, L        jumps if r = 0
    jneg r, L      jumps if r < 0
    in r           r = next input; when there is none left the program stops
    out v          prints v
    halt           stops

Behind the last instruction the program stops too. Label names are case sensitive and may look like registers or
instructions (`a:` is fine, and `jump a` goes there).
"""

factorial = """
; factorials of the inputs, recursively
next:   in A
        call fact
        out B
        jump next
fact:   jz A, one
        push A
        sub A, 1
        call fact
        pop A
        mul B, A
        ret
one:    SET b, 1
        ret
"""

sieve = """
        set A, 2
outer:  load B, A
        jz B, prime
step:   add A, 1
        set C, A
        sub C, 30
        jneg C, outer
        halt
prime:  out A
        set B, A
mark:   add B, A
        store B, A
        set C, B
        sub C, 30
        jneg C, mark
        jump step
"""

odds = """
a: b:   in a          ; two labels that are named like registers
        div A, 10
        out A
        out d
        set d, -7
        div d, 2
        out d
        swap a, d
        store -5, a
        load C, -5
        out c
end:
halt:   jump b
"""

corners = """
  out 1 ; first
Loop: loop:
  call Sub
  out 3
  pop a
  out 4
Sub: push -2
  pop b
  out b
  push 10  ; where out 5 stands
  ret
  out 5
  out 9
"""

programs = [
    (factorial, [0, 1, 5, 20], [1, 1, 120, 2432902008176640000]),
    (factorial, [], []),
    (sieve, [1, 2, 3], [2, 3, 5, 7, 11, 13, 17, 19, 23, 29]),
    (odds, [123, -123], [12, 3, -4, -4, -13, 7, -4, -4]),
    (corners, [], [1, -2, 5, 9]),
    ("", [5], []),
    ("pop A\nout 1", [], []),
    ("out 1\nret\nout 2", [], [1]),
    ("push 3\nret\nout 7\nOUT 8", [], [8]),
    ("start:\n\n in A\n out A\n jump start ;x: out 9", [3, 2], [3, 2]),
    ("set A, 1\nset B, A\nadd A, A\nadd A, A\nmul B, -6\nsub B, A\nout B\nout A", [], [-10, 4]),
    ("load D, 99\nout D\nset C, 99\nstore C, C\nload D, 99\nout D\ndiv D, 10\nout D", [], [0, 99, 9]),
]

test_case, answer = make_python_test(
    [(f"run({source!r}, {inputs!r})", repr(printed)) for source, inputs, printed in programs]
)

TestImplementAssemblyInterpreter = (
    question >> LLMRun() >> ExtractCode(lang="python") >> PythonRun(test_case) >> SubstringEvaluator(answer)
)

if __name__ == "__main__":
    print(run_test(TestImplementAssemblyInterpreter))
