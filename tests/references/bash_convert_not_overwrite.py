def nothing(messages):
    return ""


SCRIPT = r"""```bash
#!/bin/bash
status=0
while IFS= read -r -d '' note; do
    page=${note%.md}.html
    [[ -e $page ]] && continue
    if ! ./render "$note" "$page"; then
        rm -f -- "$page"
        status=1
    fi
done < <(find . -type f -name '*.md' -print0)
exit "$status"
```"""

RIGHT = {
    "TestBashConvertNotOverwrite": [
        "The loop reads from a process substitution, so that `status` survives it.\n\n" + SCRIPT,
        r"""```bash
#!/usr/bin/env bash
shopt -s globstar nullglob
failed=
for md in ./**/*.md; do
    html="${md%.*}.html"
    if [ -f "$md" ] && [ ! -e "$html" ]; then
        ./render "$md" "$html" || { failed=yes; rm -f "$html"; }
    fi
done
[ -z "$failed" ]
```
Hidden folders are not searched; add `dotglob` if you have notes there.""",
    ]
}

WRONG = {
    "TestBashConvertNotOverwrite": [
        nothing,
        SCRIPT.replace("[[ -e $page ]]", "[[ -s $page ]]"),  # an empty page is overwritten
        SCRIPT.replace('        rm -f -- "$page"\n', ""),
        # status is set in a subshell
        SCRIPT.replace("while IFS", "find . -type f -name '*.md' -print0 | while IFS").replace(
            "done < <(find . -type f -name '*.md' -print0)", "done"
        ),
        SCRIPT.replace("read -r -d ''", "read -r -d ' '").replace("-print0", "-printf '%p '"),
        SCRIPT.replace("-type f ", ""),
        SCRIPT.replace("status=1\n", "exit 1\n"),  # gives up at the first
        SCRIPT.replace("${note%.md}.html", "${note/.md/.html}"),
        "```bash\n# ./render in.md out.html || rm out.html; status 1\nset -C\nfor f in *.md; do ./render $f ${f%.md}.html; done\n```",
    ]
}
