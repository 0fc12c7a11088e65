from evaluator import *

DESCRIPTION = "Does the model know which CUDA image holds the compiler, and keep it out of the final image?"
TAGS = ["knowledge", "docker", "debug"]

question = """
docker build says "/bin/sh: 1: nvcc: not found", but it IS a cuda image!? A colleague's advice to take the image with
everything in it made it work, but then the result is over 7 GB, and it must go to 200 small machines. What would you do?
It has to stay cuda 12.4.1 on ubuntu 22.04. Give me the complete Dockerfile.

FROM nvidia/cuda:12.4.1-base-ubuntu22.04
WORKDIR /src
COPY stencil.cu .
RUN nvcc -O3 -o stencil stencil.cu
CMD ["/src/stencil"]
"""


def instructions(dockerfile):
    """The instructions in order, as (name, rest): lines joined, comments dropped, ARGs filled in."""
    text = "\n".join(line for line in dockerfile.splitlines() if not re.match(r"\s*#", line))
    found, values = [], {}
    for line in re.sub(r"\\\s*\n", " ", text).splitlines():
        name, _, rest = line.strip().partition(" ")
        for key, value in values.items():
            rest = re.sub(rf"\$\{{{key}\}}|\${key}\b", lambda _, value=value: value, rest)
        if name.upper() in ("ARG", "ENV") and "=" in rest:
            key, _, value = rest.strip().partition("=")
            values[key] = value.strip("\"' ")
        if name:
            found.append((name.upper(), rest.strip()))
    return found


def path_from(folder, path):
    import posixpath

    return posixpath.normpath(posixpath.join(folder, path))


def small_and_compiled(dockerfile):
    import posixpath
    import shlex

    stages = []  # of each: base, name, folder, compiled files, copied files, command
    for name, rest in instructions(dockerfile):
        if name == "FROM":
            words = [word for word in rest.split() if not word.startswith("--")]
            base = next((stage["base"] for stage in stages if stage["name"] == words[0]), words[0])
            stages.append(
                {
                    "base": base,
                    "name": words[2] if len(words) > 2 else "",
                    "folder": "/",
                    "compiled": [],
                    "copied": [],
                }
            )
            stages[-1] |= {"command": [], "entered": False}
            continue
        if not stages:
            continue
        stage = stages[-1]
        if name == "WORKDIR":
            stage["folder"] = path_from(stage["folder"], rest)
        elif name == "RUN" and (made := re.search(r"\bnvcc\b.*?\s-o[\s=]*(\S+)", rest)):
            if not re.fullmatch(
                r"(docker\.io/)?nvidia/cuda:12\.4\.1-(cudnn-)?devel-ubuntu22\.04", stage["base"]
            ):
                return False, f"nvcc runs in {stage['base']}"
            stage["compiled"].append(path_from(stage["folder"], made[1]))
        elif name == "COPY" and (source := re.search(r"--from=(\S+)\s", rest)):
            words = [word for word in rest.split() if not word.startswith("--")]
            words = json.loads(" ".join(words)) if words[0].startswith("[") else words
            origin = [s for i, s in enumerate(stages) if source[1] in (s["name"], str(i))]
            target = path_from(stage["folder"], words[-1])
            if origin and path_from("/", words[0]) in origin[0]["compiled"]:
                folder = words[-1].endswith("/") or words[-1] == "." or target == stage["folder"]
                stage["copied"].append(path_from(target, posixpath.basename(words[0])) if folder else target)
        elif name == "ENTRYPOINT" or (name == "CMD" and not stage["entered"]):
            stage["command"] = json.loads(rest) if rest.startswith("[") else shlex.split(rest)
            stage["entered"] = name == "ENTRYPOINT"
    last = stages[-1]
    if not re.fullmatch(
        r"(docker\.io/)?(nvidia/cuda:12\.4\.1-(base|runtime)-ubuntu22\.04|ubuntu:(22\.04|jammy))",
        last["base"],
    ):
        return False, f"the last stage is {last['base']}"
    program = last["command"][0] if last["command"] else ""
    folders = ("/usr/local/bin", "/usr/bin", "/bin", "/usr/local/sbin", "/usr/sbin", "/sbin")
    places = [path_from(last["folder"], program)] if "/" in program else [f"{f}/{program}" for f in folders]
    return any(place in last["copied"] for place in places), f"runs {program}, has {last['copied']}"


TestDockerCuda = (
    question >> LLMRun() >> ExtractCode(lang="dockerfile", keep_main=True) >> PyFunc(small_and_compiled)
)

if __name__ == "__main__":
    print(run_test(TestDockerCuda))
