def nothing(messages):
    return ""


BUILD = """```gitignore
/build/
node_modules/
*.log
!/docs/release.log
TODO
!TODO/
```"""

DATA = """```gitignore
**/data/*
!**/data/.gitkeep
!**/data/*.schema.json
.env
.env.*
!.env.example
```"""

RIGHT = {
    "TestGitignoreAnywhereBuild": [
        f"A slash at the front ties a pattern to the top, one at the end to folders.\n\n{BUILD}",
        """```
# only here
/build/**

**/node_modules/

# logs
**/*.log
!docs/release.log

# a file, not a folder
**/TODO
!**/TODO/
```
Note that files which are tracked already stay tracked.""",
    ],
    "TestGitignoreAnywhereData": [
        f"The folder itself must not be ignored, or git would not look into it for the exceptions:\n\n{DATA}",
        """```gitignore
.env
.env.*
!.env.example

# what is in a folder data
data/**
**/data/**
!**/data/.gitkeep
!**/data/*.schema.json
**/data/*/**
```""",
    ],
}

WRONG = {
    "TestGitignoreAnywhereBuild": [
        nothing,
        BUILD.replace("/build/", "build/"),
        BUILD.replace("!/docs/release.log", "!release.log"),
        BUILD.replace("!TODO/\n", ""),
        BUILD.replace("node_modules/", "/node_modules/"),
        BUILD.replace("*.log\n!/docs/release.log", "!/docs/release.log\n*.log"),  # the last one wins
        "```gitignore\n# build, node_modules, *.log, TODO: ignored; docs/release.log: not\n```",
    ],
    "TestGitignoreAnywhereData": [
        nothing,
        DATA.replace("**/data/*\n", "data/\n"),  # git does not look into an ignored folder
        DATA.replace("**/data/*\n", "data/*\n"),  # only at the top
        DATA.replace(".env.*\n!.env.example", "!.env.example\n.env.*"),
        DATA.replace("**/data/*\n", "**/data\n"),  # the plain file too
        DATA.replace("!**/data/.gitkeep", "!/data/.gitkeep"),
        DATA.replace(".env.*", ".env*"),
        "```gitignore\n# **/data/* with !.gitkeep and !*.schema.json\n*.csv\n.env\n```",
    ],
}
