def nothing(messages):
    return ""


RIGHT = {
    "TestRegexRemoveFiveWords": [
        '```python\nPATTERN = r"^\\s*(?:\\S+\\s+){4}\\S+\\s*"\n```\n\nFour words with blanks behind, then a fifth.',
        "Anchored, and words can't be split since a blank or the end must follow:\n\n```python\n"
        r'PATTERN = r"\A[ \t]*(?:[^ \t]+(?:[ \t]+|$)){5}"'
        "\n```",
        'import re\nPATTERN = re.compile(r"^\\s*\\S+(?:\\s+\\S+){4}\\s*")',
    ]
}

WRONG = {
    "TestRegexRemoveFiveWords": [
        nothing,
        # takes the letters of one long word for five words
        '```python\nPATTERN = r"^\\s*(\\S+\\s*){5}"\n```',
        # needs a blank behind the fifth word
        '```python\nPATTERN = r"^\\s*(?:\\S+\\s+){5}"\n```',
        # not anchored: every five words go
        '```python\nPATTERN = r"\\s*(?:\\S+\\s+){4}\\S+\\s*"\n```',
        # up to five
        '```python\nPATTERN = r"^\\s*(?:\\S+\\s*){0,5}"\n```',
        # letters and digits only
        '```python\nPATTERN = r"^\\s*(?:\\w+\\s+){4}\\w+\\s*"\n```',
        '```python\n# removes the first 5 words\nPATTERN = r"PATTERN"\n```',
    ]
}
