from evaluator import *

DESCRIPTION = (
    "Can the model write programs for a machine it has never seen, without multiplication or a stack?"
)
TAGS = ["code", "assembly", "reasoning"]
DETERMINISTIC = True

manual = """
The machine: registers a b c d e f (0 at the start) and memory cells number 0 to 65535 (0 at the start), all of them hold
unsigned 16 bit numbers, results wrap around modulo 65536. One instruction a line, `;` starts a comment, `name:` labels
the instruction that follows (on the same line or below). r and s are registers, v is a register or a number 0..65535.

    inp r, L      r = the next input; if there is none left jumps to L instead
    out v         prints v
    mov r, v      r = v
    add r, v      r = r + v
    sub r, v      r = r - v
    get r, s      r = the cell whose number is in s
    put r, s      the cell whose number is in s = r
    jeq r, v, L   jumps to L if r = v
    jlt r, v, L   jumps to L if r < v (unsigned)
    jmp L         jumps to L
    end           stops; so does the end of the program

There is nothing else.
"""

question_divide = f"""
I have this toy machine:
{manual}
Please write me a program for it that reads pairs of numbers x, y until the input ends and prints for each pair the quotient
x / y rounded down and then the rest; if y is 0 it prints 65535 and then x. Any 16 bit numbers can come. The number of
inputs is always even. Just the program in a code block.
"""

question_sort = f"""
Here is the manual of a little machine that I simulate for fun:
{manual}
I want a program that reads all inputs (at most 200) and prints each different number once, in ascending order, each
followed by how often it occurred. Can you write it? One code block with the program please, commented if you like.
"""

ARITY = {
    "inp": 2,
    "out": 1,
    "mov": 2,
    "add": 2,
    "sub": 2,
    "get": 2,
    "put": 2,
    "jeq": 3,
    "jlt": 3,
    "jmp": 1,
    "end": 0,
}


def assemble(source):
    """The instructions with labels resolved; raises ValueError with the line that is wrong."""
    code, labels = [], {}
    for line in source.split("\n"):
        rest = line.split(";")[0].strip()
        while match := re.match(r"([A-Za-z_.]\w*)\s*:", rest):
            labels[match[1].lower()] = len(code)
            rest = rest[match.end() :].strip()
        words = rest.replace(",", " ").lower().split()
        if words:
            if ARITY.get(words[0]) != len(words) - 1:
                raise ValueError(f"cannot read: {line.strip()}")
            code.append(words)

    def operand(name, kind, text, line):
        if kind == "L" and text in labels:
            return labels[text]
        if kind in "rv" and re.fullmatch("[a-f]", text):
            return text
        if kind == "v" and re.fullmatch(r"\d+", text) and int(text) < 65536:
            return int(text)
        raise ValueError(f"{text} is no operand for {name}: {line}")

    kinds = {
        "inp": "rL",
        "out": "v",
        "get": "rr",
        "put": "rr",
        "jeq": "rvL",
        "jlt": "rvL",
        "jmp": "L",
        "end": "",
    }
    return [
        [
            name,
            *(
                operand(name, kind, text, " ".join([name, *texts]))
                for kind, text in zip(kinds.get(name, "rv"), texts, strict=True)
            ),
        ]
        for name, *texts in code
    ]


def execute(code, inputs, steps):
    """What the program prints."""
    registers, memory, printed, at, inputs = dict.fromkeys("abcdef", 0), {}, [], 0, list(inputs)
    while at < len(code):
        name, *operands = code[at]
        at += 1
        steps -= 1
        if steps < 0:
            raise ValueError("it does not come to an end")
        first = operands[0] if operands else None
        second = operands[1] if len(operands) > 1 else None
        if name not in ("inp", "get", "put") and isinstance(second, str):
            second = registers[second]
        if name == "inp":
            if inputs:
                registers[first] = inputs.pop(0)
            else:
                at = second
        elif name == "out":
            printed.append(registers[first] if isinstance(first, str) else first)
        elif name == "mov":
            registers[first] = second
        elif name == "add":
            registers[first] = (registers[first] + second) % 65536
        elif name == "sub":
            registers[first] = (registers[first] - second) % 65536
        elif name == "get":
            registers[first] = memory.get(registers[second], 0)
        elif name == "put":
            memory[registers[second]] = registers[first]
        elif name == "jeq":
            at = operands[2] if registers[first] == second else at
        elif name == "jlt":
            at = operands[2] if registers[first] < second else at
        elif name == "jmp":
            at = first
        else:
            break
    return printed


def runs_right(source, runs):
    code = assemble(source)
    for inputs, wanted in runs:
        got = execute(code, inputs, 2_000_000)
        if got != wanted:
            return False, f"{inputs} gives {got[:100]} instead of {wanted[:100]}"
    return True, f"{len(runs)} runs are right"


def divides(source):
    pairs = [
        (7, 2),
        (0, 5),
        (5, 0),
        (0, 0),
        (65535, 65535),
        (65535, 1),
        (65535, 256),
        (3, 40000),
        (65534, 65535),
    ]
    pairs += [(50000, 33333), (65535, 32768), (40000, 40000), (6, 3), (1000, 7), (65535, 2)]
    runs = [([], [])] + [
        (list(pair), [65535, pair[0]] if pair[1] == 0 else [*divmod(*pair)]) for pair in pairs
    ]
    runs.append(([n for inputs, _ in runs for n in inputs], [n for _, printed in runs for n in printed]))
    return runs_right(source, runs)


def counts_sorted(source):
    rng = random.Random(5)
    inputs = [
        [],
        [0],
        [65535],
        [7, 7, 7],
        [3, 2, 1],
        [1, 2, 3],
        [65535, 0, 65535, 0, 1],
        [200, 100, 200, 50, 100, 200],
    ]
    inputs += [[0] * 200, [rng.randrange(65536) for _ in range(200)], [rng.randrange(20) for _ in range(200)]]
    inputs += [list(range(200, 0, -1)), [rng.choice([32767, 32768, 65535, 65534, 0]) for _ in range(60)]]
    return runs_right(
        source,
        [(given, [n for key in sorted(set(given)) for n in (key, given.count(key))]) for given in inputs],
    )


TestProgramInNewAssemblyDivide = (
    question_divide >> LLMRun() >> ExtractCode(keep_main=True) >> PyEvaluator(divides, time_limit_s=60)
)
TestProgramInNewAssemblySort = (
    question_sort >> LLMRun() >> ExtractCode(keep_main=True) >> PyEvaluator(counts_sorted, time_limit_s=60)
)

if __name__ == "__main__":
    print(run_test(TestProgramInNewAssemblyDivide))
    print(run_test(TestProgramInNewAssemblySort))
