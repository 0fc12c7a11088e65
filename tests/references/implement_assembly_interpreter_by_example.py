def nothing(messages):
    return ""


MACHINE = '''```python
def run(source):
    program, labels = [], {}
    for line in source.splitlines():
        line = line.split(";", 1)[0].strip()
        if ":" in line:
            label, line = line.split(":", 1)
            labels[label.strip()] = len(program)
        words = line.split()
        if words:
            program.append((words[0], words[1] if len(words) > 1 else None))

    acc, pc = 0, 0
    memory, stack, calls, printed = {}, [], [], []

    def address(operand):
        """Cells with a name and cells with a number are in one memory."""
        if operand.startswith("@"):
            return memory.get(address(operand[1:]), 0)
        return int(operand) if operand.lstrip("-").isdigit() else operand

    def value(operand):
        if operand.startswith("#"):
            return int(operand[1:])
        return memory.get(address(operand), 0)

    while pc < len(program):
        op, arg = program[pc]
        pc += 1
        if op == "lda":
            acc = value(arg)
        elif op == "sta":
            memory[address(arg)] = acc
        elif op == "swp":
            where = address(arg)
            acc, memory[where] = memory.get(where, 0), acc
        elif op == "inc":
            memory[address(arg)] = value(arg) + 1
        elif op == "dec":
            memory[address(arg)] = value(arg) - 1
        elif op == "add":
            acc += value(arg)
        elif op == "sub":
            acc -= value(arg)
        elif op == "mul":
            acc *= value(arg)
        elif op in ("div", "rem"):
            other = value(arg)
            quotient = abs(acc) // abs(other)
            if (acc < 0) != (other < 0):
                quotient = -quotient
            acc = quotient if op == "div" else acc - quotient * other
        elif op == "neg":
            acc = -acc
        elif op == "prt":
            printed.append(acc if arg is None else value(arg))
        elif op == "psh":
            stack.append(acc)
        elif op == "pul":
            acc = stack.pop()
        elif op == "jsr":
            calls.append(pc)
            pc = labels[arg]
        elif op == "ret":
            if not calls:
                break
            pc = calls.pop()
        elif op == "hlt":
            break
        elif op == "bra" or {"brz": acc == 0, "brp": acc >= 0, "brn": acc < 0}[op]:
            pc = labels[arg]
    return printed
```'''

RIGHT = {
    "TestImplementAssemblyInterpreterByExample": [
        "From the listings: `brp` also jumps at 0, `div` cuts towards zero and `rem` has the sign of the accumulator, "
        f"`ret` without a call stops.\n\n{MACHINE}",
        """An accumulator machine:

```python
import math
import re


class Tutor:
    def __init__(self, source):
        self.code, self.at, self.acc = [], 0, 0
        self.names, self.cells, self.stack, self.log = {}, {}, [], []
        for raw in source.split("\\n"):
            found = re.match(r"\\s*(?:(\\w+)\\s*:)?\\s*(\\w+)?\\s*([^\\s;]+)?", raw.partition(";")[0])
            if found[1]:
                self.names[found[1]] = len(self.code)
            if found[2]:
                self.code.append((found[2], found[3] or ""))

    def cell(self, x):
        return str(self.get(x[1:])) if x[0] == "@" else x

    def get(self, x):
        return int(x[1:]) if x[0] == "#" else self.cells.get(self.cell(x), 0)

    def put(self, x, n):
        self.cells[self.cell(x)] = n

    def jump(self, label):
        self.at = self.names[label]

    def step(self, op, x):
        if op == "lda": self.acc = self.get(x)
        if op == "sta": self.put(x, self.acc)
        if op == "swp":
            old = self.get(x)
            self.put(x, self.acc)
            self.acc = old
        if op == "inc": self.put(x, self.get(x) + 1)
        if op == "dec": self.put(x, self.get(x) - 1)
        if op == "add": self.acc += self.get(x)
        if op == "sub": self.acc -= self.get(x)
        if op == "mul": self.acc *= self.get(x)
        if op == "rem":
            n = self.get(x)
            self.acc = abs(self.acc) % abs(n) * (1 if self.acc > 0 else -1)
        if op == "div":
            n = self.get(x)
            self.acc = (self.acc - abs(self.acc) % abs(n) * (1 if self.acc > 0 else -1)) // n
        if op == "neg": self.acc *= -1
        if op == "prt": self.log.append(self.get(x) if x else self.acc)
        if op == "psh": self.stack.append(self.acc)
        if op == "pul": self.acc = self.stack.pop()
        if op == "jsr":
            self.stack.append(self.at)
            self.jump(x)
        if op == "bra": self.jump(x)
        if op == "brz" and self.acc == 0: self.jump(x)
        if op == "brp" and self.acc >= 0: self.jump(x)
        if op == "brn" and self.acc < 0: self.jump(x)
        if op == "ret": self.at = self.stack.pop() if self.stack else len(self.code)
        if op == "hlt": self.at = len(self.code)


def run(source):
    machine = Tutor(source)
    while machine.at < len(machine.code):
        op, x = machine.code[machine.at]
        machine.at += 1
        machine.step(op, x)
    return machine.log
```""",
    ]
}

WRONG = {
    "TestImplementAssemblyInterpreterByExample": [
        nothing,
        MACHINE.replace('"brp": acc >= 0', '"brp": acc > 0'),
        MACHINE.replace(
            "quotient = abs(acc) // abs(other)", "quotient = int(abs(acc) / abs(other))"
        ),  # floats
        # python's own division
        MACHINE.replace(
            'acc = quotient if op == "div" else acc - quotient * other',
            'acc = acc // other if op == "div" else acc % other',
        ),
        MACHINE.replace(
            "memory[address(arg)] = value(arg) - 1", "acc = memory[address(arg)] = value(arg) - 1"
        ),
        MACHINE.replace("acc, memory[where] = memory.get(where, 0), acc", "memory[where] = acc"),
        MACHINE.replace("            if not calls:\n                break\n", ""),
        # only what was shown
        """```python
def run(source):
    # lda, sta, prt, brp, jsr ...
    return [3, 2, 1, 0, -1, -2] if "count down" in source else [10, 20, 10]
```""",
    ]
}
