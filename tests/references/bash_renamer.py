def nothing(messages):
    return ""


SCRIPT = r"""```bash
#!/bin/bash
shopt -s nullglob
pattern='^[Ss]can ([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})( \(([0-9]+)\))?\.(pdf|PDF)$'
for old in [Ss]can\ *; do
    [[ $old =~ $pattern ]] || continue
    printf -v new '%s-%02d-%02d' "${BASH_REMATCH[1]}" "$((10#${BASH_REMATCH[2]}))" "$((10#${BASH_REMATCH[3]}))"
    [[ -n ${BASH_REMATCH[5]} ]] && new+="_${BASH_REMATCH[5]}"
    mv -n -- "$old" "$new.pdf"
done
```"""

RIGHT = {
    "TestBashRenamer": [
        f"`10#` keeps bash from reading 08 as an octal number.\n\n{SCRIPT}\n\nRun it inside the folder.",
        r"""```sh
ls | grep -E '^[Ss]can [0-9]{4}-[0-9]{1,2}-[0-9]{1,2}( \([0-9]+\))?\.(pdf|PDF)$' | while IFS= read -r f; do
    new=$(printf '%s\n' "$f" | sed -E '
        s/^[Ss]can //
        s/\.PDF$/.pdf/
        s/ \(([0-9]+)\)/_\1/
        s/-([0-9])-/-0\1-/
        s/-([0-9])([_.])/-0\1\2/')
    if [ ! -e "$new" ]; then
        mv "./$f" "./$new"
    fi
done
```""",
    ]
}

WRONG = {
    "TestBashRenamer": [
        nothing,
        SCRIPT.replace("mv -n", "mv -f"),  # overwrites the file that has the name already
        SCRIPT.replace("10#", ""),  # 08 and 09 are no octal numbers
        SCRIPT.replace("^[Ss]can", "can").replace("[Ss]can\\ *", "*"),  # takes the rescan too
        SCRIPT.replace("    mv -n", "    echo mv -n"),
        "```bash\n# mv 'Scan 2024-3-7 (2).PDF' 2024-03-07_2.pdf\nfor f in *.pdf; do mv $f ${f,,}; done\n```",
    ]
}
