def nothing(messages):
    return ""


FIND = r"""```bash
find . \( -name third_party -o -name build \) -type d -prune -o -type f \( -name '*.c' -o -name '*.h' \) \
    -exec grep -L -i copyright {} + | LC_ALL=C sort
```"""

RIGHT = {
    "TestBashFindDontContain": [
        f"`grep -L` lists files without a match, `-prune` keeps find out of the two folders:\n\n{FIND}",
        r"""```sh
export LC_ALL=C
grep -rLi --include='*.[ch]' --exclude-dir=third_party --exclude-dir=build -e copyright . | sort
```

With GNU grep that is all.""",
        r"""```bash
shopt -s globstar nullglob
export LC_ALL=C
for f in **/*.c **/*.h; do
    [[ -f $f && "/$f" != */third_party/* && "/$f" != */build/* ]] || continue
    grep -qi copyright -- "$f" || printf '%s\n' "$f"
done | sort
```""",
    ]
}

WRONG = {
    "TestBashFindDontContain": [
        nothing,
        FIND.replace("grep -L -i", "grep -l -v -i"),  # files with some line that does not have it
        FIND.replace(" -i ", " "),
        FIND.replace("-type d -prune", "-false"),
        FIND.replace("-type f ", ""),  # grep complains about a folder
        FIND.replace("-exec grep -L -i copyright {} +", "| xargs grep -L -i copyright"),  # names with blanks
        FIND.replace(r"\( -name '*.c' -o -name '*.h' \)", r"-name '*.[ch]*'"),
        FIND.replace(" | LC_ALL=C sort", " | sort -f"),
        "`grep -L copyright` is what you want.\n```bash\n# find . -name '*.c' | grep -L copyright\nls *.c *.h\n```",
    ]
}
