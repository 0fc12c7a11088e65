def bash(command):
    return f"```bash\n{command}\n```"


def nothing(messages):
    return ""


RESOLVED = """cat > fare.py <<'END'
PRICES = {'day': 6, 'week': 22, 'year': 400}


def fare(kind, n=1):
    return PRICES[kind] * n
END"""

RIGHT = {
    "TestGitMerge": [
        # tries to delete the branch first, which git refuses
        [
            bash("git branch -a"),
            bash("git branch -d units"),
            "It is not merged yet, so the merge comes first.\n" + bash("git merge --no-ff --no-edit units"),
            bash("git branch -d units"),
            "DONE",
        ],
        [bash("git merge --no-ff -m 'Merge units' units && git branch --delete units"), "DONE."],
    ],
    "TestGitMergeConflict": [
        [
            bash("git merge prices"),
            "As you said, a conflict. Let me look at it.\n" + bash("cat fare.py"),
            # a commit with the conflict still in it is refused
            bash("git commit -m 'Merge prices'"),
            bash(RESOLVED),
            bash("git add fare.py"),
            bash("git commit --no-edit"),
            "DONE",
        ],
        [
            bash("git merge --no-edit prices; git diff"),
            "```bash\ngit checkout --ours fare.py && sed -i \"s/'day': 5, 'week': 20/'day': 6, 'week': 22/\" fare.py\n```",
            bash("git commit -am 'Merge branch prices' && git status"),
            "**DONE**",
        ],
    ],
}

WRONG = {
    "TestGitMerge": [
        nothing,
        ["DONE"],
        [bash("git merge units"), bash("git branch -d units"), "DONE"],  # fast-forward
        [bash("git merge --no-ff --no-edit units"), "DONE"],  # the branch is still there
        [bash("git checkout units && git merge --no-ff --no-edit main"), "DONE"],
        [bash("git branch -D units"), bash("echo '# git merge --no-ff units'"), "DONE"],
    ],
    "TestGitMergeConflict": [
        nothing,
        [bash("git merge prices"), "DONE"],  # in the middle of it
        [bash("git merge --no-edit -X theirs prices"), "DONE"],  # loses the year
        [bash("git merge --no-edit -X ours prices"), "DONE"],  # loses the prices
        # right in its content, but not a merge
        [
            bash("git merge prices"),
            bash("git merge --abort"),
            bash(RESOLVED),
            bash("git commit -am 'Merge prices'"),
            "DONE",
        ],
        [bash("git merge prices"), bash("git add -A && git commit --no-edit"), "DONE"],  # with the markers
    ],
}
