import re


def bash(command):
    return f"```bash\n{command}\n```"


def nothing(messages):
    return ""


MEND = r"""cat > price.py <<'END'
VAT = 20


def gross(net):
    return round(net * (100 + VAT) / 100)


def discount(price, percent):
    return round(price - price * percent / 100)
END"""


def reads_hashes(messages):
    """Takes the commits from the log; picks one with a misleading subject first, sees it, and goes back."""
    seen = "\n".join(message.content for message in messages if message.role == "user")
    turn = len(messages) // 2

    def commit(subject):
        return re.search(rf"([0-9a-f]{{7,}}) Ines +{subject}", seen)[1]

    steps = [
        lambda: "git log --format='%h %an %s' main..experiment",
        lambda: f"git cherry-pick -x {commit('Round out the menu')}",
        lambda: "git status --short && git log --stat -1",
        lambda: "git cherry-pick --abort; git reset -q --hard HEAD && git log --oneline -1",
        lambda: f"git show {commit('Gross prices')} {commit('Discounts')}",
        lambda: f"git cherry-pick -x {commit('Gross prices')} {commit('Discounts')}",
        lambda: "git diff",
        lambda: MEND,
        lambda: "git add price.py && GIT_EDITOR=true git cherry-pick --continue",
        lambda: "git log --format=full -2 && git diff experiment --stat",
    ]
    if turn < len(steps):
        return bash(steps[turn]())
    return "DONE"


RIGHT = {
    "TestGitCherrypick": [
        reads_hashes,
        # one by one; resolves with sed; git refuses to go on as long as the file is not added
        [
            "First the history.\n" + bash("git log -p --reverse main..experiment"),
            bash("git cherry-pick -x experiment~4"),
            bash("git cherry-pick -x experiment~1 || git status"),
            bash(
                "sed -i -e '/^<<<<<<</,/^=======/d' -e '/^>>>>>>>/d' -e '/min(percent/d' price.py && cat price.py"
            ),
            bash("git -c core.editor=true cherry-pick --continue"),
            "It wants the file to be added.\n"
            + bash("git add -A && git -c core.editor=true cherry-pick --continue"),
            "**DONE**",
        ],
    ]
}

WRONG = {
    "TestGitCherrypick": [
        nothing,
        ["DONE"],
        # everything of the branch
        [bash("git merge --no-edit experiment"), "DONE"],
        # stops in the middle of the conflict
        [bash("git cherry-pick -x experiment~4 experiment~1"), "DONE"],
        # takes the other side whole, with the limit and the lower VAT
        [
            bash("git cherry-pick -x experiment~4"),
            bash("git cherry-pick -x -X theirs experiment~1 || git checkout --theirs price.py"),
            bash("git add -A; GIT_EDITOR=true git cherry-pick --continue"),
            "DONE",
        ],
        # without the note
        [
            bash("git cherry-pick experiment~4"),
            bash("git cherry-pick experiment~1"),
            bash(MEND),
            bash("git add -A && GIT_EDITOR=true git cherry-pick --continue"),
            "DONE",
        ],
        # right in its content, in the wrong name
        [
            bash(MEND),
            bash("git commit -am 'Discounts: to the nearest cent (cherry picked from commit 0123abc)'"),
            "DONE",
        ],
        # the one whose subject sounds right
        [
            bash("git cherry-pick -x experiment~3 || git rm -q menu.py"),
            bash("git cherry-pick --skip"),
            "DONE",
        ],
    ]
}
