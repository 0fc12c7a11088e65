def nothing(messages):
    return ""


FUNCTIONS = """```javascript
function without(flags, bits) {
  const mask = bits.reduce((all, bit) => all | (1n << BigInt(bit)), 0n);
  return Number(BigInt(flags) & ~mask);
}

function locked(flags) {
  return -flags - 1;
}
```"""

RIGHT = {
    "TestWhatIsInv": [
        "`operator.inv` is the bitwise complement `~x`. Javascript's own `~` cuts to 32 bits, hence BigInt:\n\n"
        + FUNCTIONS,
        """It flips all bits (`~`), which is -x - 1. Without BigInt:

```js
const locked = (flags) => -1 - flags;
const without = (flags, bits) => {
  for (const bit of new Set(bits)) {
    const value = 2 ** bit;
    if (Math.floor(flags / value) % 2 === 1) flags -= value;
  }
  return flags;
};
```""",
        """```javascript
function locked(flags) { return Number(~BigInt(flags)); }
function without(flags, bits) {
  let f = BigInt(flags);
  for (const b of bits) f = f & ~(1n << BigInt(b));
  return Number(f);
}
module.exports = { without, locked };
```""",
    ]
}

WRONG = {
    "TestWhatIsInv": [
        nothing,
        # names it, and falls into the next hole
        """`inv` is `~`:

```javascript
const without = (flags, bits) => flags & ~bits.reduce((mask, bit) => mask | (1 << bit), 0);
const locked = (flags) => ~flags;
```""",
        FUNCTIONS.replace("-flags - 1", "1 / flags"),
        FUNCTIONS.replace("-flags - 1", "-flags"),
        FUNCTIONS.replace("& ~mask", "^ mask"),  # sets what was not set
        FUNCTIONS.replace("Number(BigInt(flags) & ~mask)", "BigInt(flags) & ~mask"),
        "```javascript\n// inv is the bitwise complement ~\nconsole.log('SEEN 10 0 77');\n```",
    ]
}
