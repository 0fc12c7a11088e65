def nothing(messages):
    return ""


SCRIPT = r"""```bash
#!/bin/bash
folder=$1
digit=$2
[[ -d $folder && $digit =~ ^[0-9]$ ]] || exit 2
find "$folder" -maxdepth 1 -type f -printf '%s\t%f\n' |
    awk -F'\t' -v d="$digit" '$1 % 10 == d' |
    LC_ALL=C sort -t $'\t' -k1,1nr -k2 |
    cut -f2-
exit 0
```"""

RIGHT = {
    "TestBashListFilesBySizeModTen": [
        f"{SCRIPT}\n\nMake it executable with `chmod +x` and call it like `./pick.sh ~/photos 3`.",
        r"""```bash
#!/usr/bin/env bash
if [ ! -d "$1" ]; then exit 2; fi
case "$2" in
    [0-9]) ;;
    *) exit 2 ;;
esac
shopt -s nullglob dotglob
cd -- "$1" || exit 2
for file in *; do
    [ -f "$file" ] && [ ! -L "$file" ] || continue
    size=$(stat -c %s -- "$file")
    if [ $((size % 10)) -eq "$2" ]; then
        printf '%d\t%s\n' "$size" "$file"
    fi
done | LC_ALL=C sort -k1,1nr -k2 | while IFS=$'\t' read -r _ name; do printf '%s\n' "$name"; done
```""",
    ]
}

WRONG = {
    "TestBashListFilesBySizeModTen": [
        nothing,
        SCRIPT.replace("-maxdepth 1 ", ""),
        SCRIPT.replace("-type f", ""),
        SCRIPT.replace("-k1,1nr", "-k1,1n"),
        SCRIPT.replace(" || exit 2", ""),
        SCRIPT.replace("cut -f2-", "awk '{ print $2 }'"),  # names end at the first space
        "```bash\n# find $1 -size with last digit $2, exit 2\nls -S $1\n```",
    ]
}
