def nothing(messages):
    return ""


MACHINE = """```python
import re


def run(source, inputs):
    code, labels = [], {}
    for line in source.splitlines():
        line = line.split(";")[0].strip()
        while match := re.match(r"([A-Za-z_]\\w*)\\s*:\\s*", line):
            labels[match.group(1)] = len(code)
            line = line[match.end():]
        if line:
            name, _, rest = line.partition(" ")
            code.append((name.lower(), [part.strip() for part in rest.split(",") if part.strip()]))

    registers = dict.fromkeys("abcd", 0)
    memory, stack, printed = {}, [], []
    inputs = iter(inputs)

    def value(operand):
        return registers[operand.lower()] if operand.lower() in registers else int(operand)

    pc = 0
    while 0 <= pc < len(code):
        name, operands = code[pc]
        pc += 1
        first = operands[0] if operands else ""
        r = first.lower()
        if name == "set":
            registers[r] = value(operands[1])
        elif name == "load":
            registers[r] = memory.get(value(operands[1]), 0)
        elif name == "store":
            memory[value(first)] = value(operands[1])
        elif name == "add":
            registers[r] += value(operands[1])
        elif name == "sub":
            registers[r] -= value(operands[1])
        elif name == "mul":
            registers[r] *= value(operands[1])
        elif name == "div":
            quotient, rest = divmod(registers[r], value(operands[1]))
            registers["d"] = rest
            registers[r] = quotient
        elif name == "swap":
            other = operands[1].lower()
            registers[r], registers[other] = registers[other], registers[r]
        elif name == "push":
            stack.append(value(first))
        elif name == "pop":
            if not stack:
                break
            registers[r] = stack.pop()
        elif name == "call":
            stack.append(pc)
            pc = labels[first]
        elif name == "ret":
            if not stack:
                break
            pc = stack.pop()
        elif name == "jump":
            pc = labels[first]
        elif name == "jz":
            if registers[r] == 0:
                pc = labels[operands[1]]
        elif name == "jneg":
            if registers[r] < 0:
                pc = labels[operands[1]]
        elif name == "in":
            try:
                registers[r] = next(inputs)
            except StopIteration:
                break
        elif name == "out":
            printed.append(value(first))
        elif name == "halt":
            break
    return printed
```"""

RIGHT = {
    "TestImplementAssemblyInterpreter": [
        MACHINE,
        """A class with one method an instruction:

```python
class Stop(Exception):
    pass


class Machine:
    def __init__(self, source, inputs):
        self.r = [0, 0, 0, 0]
        self.mem, self.stack, self.out = {}, [], []
        self.inputs = list(inputs)[::-1]
        self.labels, self.program, self.pc = {}, [], 0
        for line in source.split("\\n"):
            line = line.split(";", 1)[0]
            *names, rest = line.split(":")
            for name in names:
                self.labels[name.strip()] = len(self.program)
            words = rest.replace(",", " ").split()
            if words:
                self.program.append(words)

    @staticmethod
    def reg(x):
        return "ABCD".index(x.upper())

    def val(self, x):
        return self.r[self.reg(x)] if x.isalpha() else int(x)

    def go(self):
        try:
            while self.pc in range(len(self.program)):
                name, *args = self.program[self.pc]
                self.pc += 1
                getattr(self, "do_" + name.lower())(*args)
        except Stop:
            pass
        return self.out

    def take(self):
        if not self.stack:
            raise Stop
        return self.stack.pop()

    def do_set(self, r, v): self.r[self.reg(r)] = self.val(v)
    def do_load(self, r, v): self.r[self.reg(r)] = self.mem.get(self.val(v), 0)
    def do_store(self, v, r): self.mem[self.val(v)] = self.val(r)
    def do_add(self, r, v): self.r[self.reg(r)] += self.val(v)
    def do_sub(self, r, v): self.r[self.reg(r)] -= self.val(v)
    def do_mul(self, r, v): self.r[self.reg(r)] *= self.val(v)

    def do_div(self, r, v):
        q, self.r[3] = divmod(self.val(r), self.val(v))
        self.r[self.reg(r)] = q

    def do_swap(self, a, b):
        a, b = self.reg(a), self.reg(b)
        self.r[a], self.r[b] = self.r[b], self.r[a]

    def do_push(self, v): self.stack.append(self.val(v))
    def do_pop(self, r): self.r[self.reg(r)] = self.take()
    def do_ret(self): self.pc = self.take()
    def do_jump(self, l): self.pc = self.labels[l]

    def do_call(self, l):
        self.stack.append(self.pc)
        self.do_jump(l)

    def do_jz(self, r, l):
        if self.val(r) == 0: self.do_jump(l)

    def do_jneg(self, r, l):
        if self.val(r) < 0: self.do_jump(l)

    def do_in(self, r):
        if not self.inputs: raise Stop
        self.r[self.reg(r)] = self.inputs.pop()

    def do_out(self, v): self.out.append(self.val(v))
    def do_halt(self): raise Stop


def run(source, inputs):
    return Machine(source, inputs).go()
```""",
    ]
}

WRONG = {
    "TestImplementAssemblyInterpreter": [
        nothing,
        # the rest overwrites the quotient
        MACHINE.replace(
            'registers["d"] = rest\n            registers[r] = quotient',
            'registers[r] = quotient\n            registers["d"] = rest',
        ),
        MACHINE.replace(
            "divmod(registers[r], value(operands[1]))", "int(registers[r] / value(operands[1])), 0"
        ),
        MACHINE.replace("        while match", "        if match"),  # only one label a line
        MACHINE.replace("labels[match.group(1)]", "labels[match.group(1).lower()]"),
        MACHINE.replace(
            "            if not stack:\n                break\n            pc = stack.pop()",
            "            pc = stack.pop()",
        ),
        "```python\ndef run(source, inputs):\n    return [2, 3, 5, 7, 11, 13, 17, 19, 23, 29]\n```",
    ]
}
