from evaluator import *

DESCRIPTION = "Can the model read a cryptic qemu-img call and write the way back and the check of it?"
TAGS = ["knowledge", "bash"]
DETERMINISTIC = True

question = """
what is "-Oraw"? the guy before me left this in his notes and google doesn't find it:

qemu-img convert -p -fqcow2 -Oraw vm.qcow2 /dev/sdb

I need just the other way round: what is on /dev/sdb now has to get into a file backup.qcow2, compressed, and then a second
command should check that the file has really the same content as the disk. Explain in a sentence, then one bash block with
the two commands and nothing else.
"""

# Stands in for qemu-img (and sudo): notes down what it would do.
qemu_img = r"""#!/usr/bin/env python3
import getopt, json, os, sys

args = sys.argv[1:]
if os.path.basename(sys.argv[0]) == "sudo":
    os.execvp(args[0], args)
kinds = {"convert": "f:O:cpqnS:t:T:Wm:o:l:UB:F:r:C", "compare": "f:F:T:pqsU"}
if not args or args[0] not in kinds:
    sys.exit(f"qemu-img: no such command: {args}")
try:
    options, files = getopt.gnu_getopt(args[1:], kinds[args[0]], ["image-opts", "target-image-opts", "object="])
except getopt.GetoptError as error:
    sys.exit(f"qemu-img: {error}")
options = {key.strip("-"): value for key, value in options}
with open("calls.jsonl", "a") as file:
    file.write(json.dumps([args[0], options, files]) + "\n")
"""


def copies_and_compares():
    import json
    import os
    import subprocess

    os.mkdir("bin")
    for name in ("qemu-img", "sudo"):
        with open(f"bin/{name}", "w") as file:
            file.write(qemu_img)
        os.chmod(f"bin/{name}", 0o755)
    environment = {**os.environ, "PATH": os.getcwd() + "/bin:" + os.environ["PATH"]}
    ran = subprocess.run(["bash", "main.sh"], capture_output=True, text=True, timeout=15, env=environment)
    calls = []
    if os.path.exists("calls.jsonl"):
        with open("calls.jsonl") as file:
            calls = [json.loads(line) for line in file]
    log = f"{calls}\n{ran.stderr}"
    if [call[0] for call in calls] != ["convert", "compare"]:
        return False, log
    (_, how, files), (_, formats, sides) = calls
    # without -f it guesses, which for a disk comes out as raw
    copied = how.get("f") in (None, "raw") and how.get("O") == "qcow2" and "c" in how
    copied = copied and [os.path.normpath(f) for f in files] == ["/dev/sdb", "backup.qcow2"]
    right_format = {"/dev/sdb": (None, "raw"), "backup.qcow2": (None, "qcow2")}
    sides = [os.path.normpath(side) for side in sides]
    compared = sorted(sides) == sorted(right_format) and all(
        formats.get(option) in right_format[side] for option, side in zip("fF", sides, strict=True)
    )
    return copied and compared, log


TestWhatIsORaw = (
    question
    >> LLMRun()
    >> ExtractCode(lang="bash", keep_main=True)
    >> MakeFile("main.sh")
    >> PyEvaluator(copies_and_compares)
)

if __name__ == "__main__":
    print(run_test(TestWhatIsORaw))
