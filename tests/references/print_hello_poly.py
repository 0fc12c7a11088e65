def nothing(messages):
    return ""


RIGHT = {
    "TestPrintHelloPolyC": [
        '''Python sees the preprocessor lines as comments, and C never sees what is inside `#if 0`.

```c
#include <stdio.h>
#if 0
print("hello world")
"""
#endif
int main(void) { puts("hello world"); return 0; }
#if 0
"""
#endif
```
''',
        """A macro turns the python call into a C main:

```
#include <stdio.h>
#define print(text) int main(void) { printf("%s\\n", text); return 0; }
print("hello world")
```

Save it as `hello.c`; `python3 hello.c` does not mind the name.""",
    ],
    "TestPrintHelloPolyRust": [
        '''```rust
#![allow(unused_attributes)] /*
print("hello world")
"""*/
fn main() { println!("hello world"); }
//"""
```''',
        """For python the first line is a comment, for rust the print is one.

```python
#[allow(dead_code)] /*
print("hello world"); \'\'\'*/
fn main() { println!("{} {}", "hello", "world") } // \'\'\'
```""",
    ],
}

WRONG = {
    "TestPrintHelloPolyC": [
        nothing,
        '```python\nprint("hello world")\n```',
        '```c\n#include <stdio.h>\nint main(void) { printf("hello world\\n"); return 0; }\n```',
        "```c\n// hello world\n#if 0\nhello world\n#endif\nint main(void) { return 0; }\n```",
        # the closing quotes stand outside #if 0, so the C compiler trips over them
        '```c\n#include <stdio.h>\n#if 0\nprint("hello world")\n"""\n#endif\n'
        'int main(void) { puts("hello world"); return 0; }\n"""\n```',
    ],
    "TestPrintHelloPolyRust": [
        nothing,
        '```rust\nfn main() { println!("hello world"); }\n```',
        '```python\n# fn main() { println!("hello world"); }\nprint("hello world")\n```',
        "```python\n# hello world\npass\n```",
    ],
}
