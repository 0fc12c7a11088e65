from evaluator import *

DESCRIPTION = "Can the model work out an invented assembly language from example programs and run others?"
TAGS = ["code", "python", "assembly", "reasoning"]
DETERMINISTIC = True

countdown = """
; count down
        lda #3
        sta n
loop:   lda n
        prt
        dec n
        brp loop        ; the accumulator was not touched by dec
        lda n
        prt
        hlt
        prt
"""

arithmetic = """
        lda unknown
        prt
        lda #-7
        sta seven
        div #2
        prt
        mul #-10
        prt
        rem #7
        prt
        lda seven
        rem #4
        prt
        sub seven
        prt
        neg
        add seven
        prt
"""

branches = """
        lda #0
        brp one
        prt #1
one:    brz two
        prt #2
two:    brn three
        prt #3
three:  lda #-1
        brn four
        prt #4
four:   brp five
        prt #5
five:   bra six
        prt #6
six:    prt
        dec q
        dec q
        prt q
"""

cells = """
        lda #100
        sta p
fill:   lda p
        sub #100
        mul p
        sta @p          ; cell 100 gets 0, cell 101 gets 101, cell 102 gets 204
        inc p
        lda p
        sub #104
        brn fill
        lda 103
        prt
        sta total
        dec p
        dec p
        lda @p
        add total
        prt
        prt 101
        prt @p
        swp total
        prt
        prt total
"""

subroutines = """
        lda #4
        jsr sum
        prt
        lda #10
        psh
        lda #20
        psh
        pul
        prt
        pul
        prt
        ret
        prt #99
sum:    brz done
        psh
        sub #1
        jsr sum
        sta part
        pul
        add part
done:   ret
"""


def run_reference(source):
    """The machine, to compute what the programs print. Not told to anybody."""
    code, labels = [], {}
    for line in source.split("\n"):
        line = line.split(";")[0]
        if ":" in line:
            label, line = line.split(":")
            labels[label.strip()] = len(code)
        if line.split():
            code.append([*line.split(), ""][:2])
    memory, stack, printed, acc, at = {}, [], [], 0, 0

    def cell(operand):
        return str(memory.get(operand[1:], 0)) if operand.startswith("@") else operand

    while at < len(code):
        name, operand = code[at]
        at += 1
        value = int(operand[1:]) if operand.startswith("#") else memory.get(cell(operand), 0)
        if name == "lda":
            acc = value
        elif name == "sta":
            memory[cell(operand)] = acc
        elif name == "swp":
            acc, memory[cell(operand)] = value, acc
        elif name in ("inc", "dec"):
            memory[cell(operand)] = value + (1 if name == "inc" else -1)
        elif name == "prt":
            printed.append(value if operand else acc)
        elif name == "add":
            acc += value
        elif name == "sub":
            acc -= value
        elif name == "mul":
            acc *= value
        elif name == "div":
            acc = abs(acc) // abs(value) * (1 if (acc < 0) == (value < 0) else -1)
        elif name == "rem":
            acc = abs(acc) % abs(value) * (-1 if acc < 0 else 1)
        elif name == "neg":
            acc = -acc
        elif name == "psh":
            stack.append(acc)
        elif name == "pul":
            acc = stack.pop()
        elif name == "jsr":
            stack.append(at)
            at = labels[operand]
        elif name == "ret":
            if not stack:
                break
            at = stack.pop()
        elif name == "hlt":
            break
        elif (
            name == "bra"
            or (name == "brz" and acc == 0)
            or (name == "brn" and acc < 0)
            or (name == "brp" and acc >= 0)
        ):
            at = labels[operand]
    return printed


examples = [countdown, arithmetic, branches, cells, subroutines]
shown = "\n".join(
    f"--- program {number}\n{source.strip(chr(10))}\n--- it prints: {' '.join(map(str, run_reference(source)))}\n"
    for number, source in enumerate(examples, 1)
)

question = f"""
All that is left of our old teaching machine are these listings from the course and what each of them printed. Could you
write me a simulator for it in python? A function run(source) that takes such a listing as a string and returns the list of
the numbers that it prints. My own programs use nothing that isn't in these, numbers can get big. Labels are made of letters,
nothing is pulled that wasn't pushed in the same subroutine, and a program that runs past its last line ends.

{shown}"""

hidden = [
    "",
    "\n; nothing here\n\n",
    "prt\nprt #-5\nret\nprt #1",
    """
        lda #30
        jsr fact
        prt
        hlt
fact:   brz one
        psh
        sub #1
        jsr fact
        sta f
        pul
        mul f
        ret
one:    lda #1
        ret
""",
    """
        lda #1071
        sta a
        lda #462
        sta b
gcd:    lda b
        brz end
        lda a
        rem b
        swp b
        sta a
        bra gcd
end:    prt a
""",
    """
        lda #2          ; sieve up to 40
        sta n
next:   lda n
        sub #40
        brp out
        lda @n
        brn cross
        prt n
        lda n
        sta m
mark:   lda m
        add n
        sta m
        sub #40
        brp cross
        lda #-1
        sta @m
        bra mark
cross:  inc n
        bra next
out:    prt #0
""",
    """
        lda #1
        sta x
more:   lda x
        mul #10
        add #7
        sta x
        inc times
        lda times
        sub #25
        brn more
        lda x
        div #3
        prt
        rem #1000
        prt
        lda x
        neg
        div #9
        prt
        rem #10
        prt
        prt times
""",
    """
        lda #7
        psh
        lda #8
        psh
        dec k
        prt k
        lda #0
        brn no
        brz yes
no:     prt #13
yes:    jsr inner
        prt #14
        hlt
inner:  prt
        lda #-1
        brp no
        brz no
        ret
""",
    """
        lda #5
        sta 200
        inc 200
        lda #200
        sta p
        prt @p
        lda @p
        swp q
        prt
        prt q
        lda 200
        sub q
        brz same
        prt #1
same:   lda #-9
        rem #3
        prt
        lda #-1
        div #2
        prt
        ret
""",
    "a: prt #1\n bra c\nb: prt #2\n ret\nc: prt #3\n bra b",
]

test_case, answer = make_python_test(
    [(f"run({source!r})", repr(run_reference(source))) for source in examples + hidden]
)

TestImplementAssemblyInterpreterByExample = (
    question >> LLMRun() >> ExtractCode(lang="python") >> PythonRun(test_case) >> SubstringEvaluator(answer)
)

if __name__ == "__main__":
    print(run_test(TestImplementAssemblyInterpreterByExample))
