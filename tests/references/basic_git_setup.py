def bash(command):
    return f"```bash\n{command}\n```"


def nothing(messages):
    return ""


START = [
    bash("git init -b trunk"),
    bash("git config user.name 'Rana Petrov'"),
    bash("git config user.email rana@example.com"),
    bash("printf '*.log\\nbuild/\\n' > .gitignore"),
]

RIGHT = {
    "TestBasicGitSetup": [
        # commits first, is told that git does not know who, and goes on from there
        [
            "First a repository:\n" + bash("git init --initial-branch=trunk"),
            bash("git commit -m Import"),
            "I have to stage first, and to say who I am.\n" + bash("git config user.name 'Rana Petrov'"),
            bash("git config user.email rana@example.com"),
            bash("echo '*.log' > .gitignore"),
            bash("echo 'build/' >> .gitignore"),
            bash("git add -A"),
            bash("git status --short"),
            bash('git commit -m "Import"'),
            bash('git tag -a v0.1 -m "first"'),
            "FINISHED",
        ],
        [
            *START,
            bash("git add . && git commit -qm Import && git tag -am first v0.1 && git log --stat"),
            "**FINISHED**",
        ],
    ]
}

WRONG = {
    "TestBasicGitSetup": [
        nothing,
        ["FINISHED"],
        # the ignored files are in, because the .gitignore comes too late
        [
            bash("git init -b trunk && git add -A"),
            *START[1:],
            bash("git add .gitignore && git commit -m Import && git tag -a v0.1 -m first"),
            "FINISHED",
        ],
        # a tag without a message of its own
        [*START, bash("git add -A && git commit -m Import && git tag v0.1"), "FINISHED"],
        # the author only on the command line
        [
            bash("git init -b trunk && printf '*.log\\nbuild/\\n' > .gitignore && git add -A"),
            bash("git -c user.name='Rana Petrov' -c user.email=rana@example.com commit -m Import"),
            bash("git -c user.name='Rana Petrov' -c user.email=rana@example.com tag -a v0.1 -m first"),
            "FINISHED",
        ],
        # cleans up instead of ignoring
        [
            *START[:3],
            bash("rm -rf build *.log src/*.log && touch .gitignore"),
            bash("git add -A && git commit -m Import && git tag -a v0.1 -m first"),
            "FINISHED",
        ],
    ]
}
