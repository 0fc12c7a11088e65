"""Scripts that cheat, break or run wild: each gets its kind of failure, and the run goes on."""

import threading
from pathlib import Path

import pytest

from testing.weirdml.submitting import LIMITS, TIERS, answer, backend, data_folder, run, submit
from tests.weirdml.data.build import Recipe, cached

WRITE = 'out = open("results/test_preds.txt", "w")\n'
GUESS = WRITE + 'out.write("0\\n" * 1000)\nout.close()\n'


@pytest.fixture(params=TIERS)
def each(request):
    return backend(request.param)


@pytest.fixture
def any_one():
    return backend("bubblewrap+image", "podman")


def kinds(codes, backend, **options):
    record, _ = run([answer(code) for code in codes], backend, **options)
    assert record.error == "", record.error
    assert record.outcome in ("pass", "fail")
    return [one["kind"] for one in record.extra["submissions"]]


# ---------------------------------------------------------------- what is not there to be found

LOOK = """\
import os, sys
found = []
secrets = (b"test_labels", b"weirdml 1 ", b"only the host", b"tests/weirdml", b"private_salt")
for top in "/usr/src /home /tmp /root /run /var/tmp /mnt /srv /opt /dev/shm /proc/self".split():
    for folder, folders, names in os.walk(top):
        folders[:] = [each for each in folders if each not in "task root cwd map_files fd fdinfo".split()]
        for name in names:
            path = os.path.join(folder, name)
            if name in ("clear_refs", "script.py"):
                continue
            if any(word in path.encode() for word in secrets):
                found.append(path)
            try:
                with open(path, "rb") as file:
                    data = file.read(1 << 20)
            except (OSError, ValueError):
                continue
            found += [path for word in secrets if word in data]
found += [f"{k}={v}" for k, v in os.environ.items() if "SEED" in k or "weirdml" in v]
try:
    import tests.weirdml
    found.append("the generators can be imported")
except ImportError:
    pass
try:
    import assay
    found.append("assay can be imported")
except ImportError:
    pass
print("FOUND", found, "IN", sorted(os.listdir(".")), sorted(os.listdir("data")), os.listdir("results"))
"""


def test_no_label_seed_or_generator_is_inside(each):
    _, told = submit(LOOK + GUESS, each, salt="only the host")
    assert "FOUND [] IN ['data', 'results', 'script.py'] ['test_data.npy', 'train_data.npy', " in told
    assert "'train_labels.npy'] []" in told, "and results/ is empty"
    made = cached(Recipe("shapes_easy", salt="only the host"), data_folder())
    assert b"test_labels" not in b"".join(name.encode() for name in made.public())


NETWORK = """\
import socket
for address in (("1.1.1.1", 53), ("127.0.0.1", %d)):
    try:
        socket.create_connection(address, 2)
        print("REACHED", address)
    except OSError as error:
        print("refused", address, error)
try:
    socket.getaddrinfo("example.org", 80)
    print("REACHED the resolver")
except OSError:
    pass
"""


def test_no_network(any_one):
    import socket

    with socket.create_server(("127.0.0.1", 0)) as server:
        _, told = submit(NETWORK % server.getsockname()[1] + GUESS, any_one)
    assert told.count("refused (") == 2 and "REACHED" not in told


LEAVE = """\
import os, subprocess
for folder in (".", "results", "/tmp", "/dev/shm", "/home/assay", "/var/tmp"):
    try:
        open(folder + "/left", "w").write("I was here")
    except OSError:
        pass
subprocess.Popen(["sleep", "300"], start_new_session=True)
try:
    os.chmod("data", 0o755)
    os.remove("data/train_data.npy")
except OSError as error:
    print("kept", error)
"""
FIND = """\
import os
places = (".", "results", "/tmp", "/dev/shm", "/home/assay", "/var/tmp")
left = [place for place in places if os.path.exists(place + "/left")]
running = []
for pid in filter(str.isdigit, os.listdir("/proc")):
    try:
        running += [pid] * (b"sleep" in open(f"/proc/{pid}/cmdline", "rb").read())
    except OSError:
        pass
print("LEFT", left, running, os.path.exists("data/train_data.npy"))
"""


def test_nothing_stays_for_the_next_submission(each):
    record, asked = run([answer(LEAVE + GUESS), answer(FIND + GUESS), "stop"], each)
    assert record.error == ""
    assert "LEFT [] [] True" in asked[2][-1].content


def test_data_cannot_be_written_by_accident(any_one):
    fact, told = submit('open("data/train_data.npy", "w")', any_one)
    assert fact["kind"] == "crash" and "PermissionError" in told


# ---------------------------------------------------------------- predictions that are none

FILES = {
    "a link to the data": 'import os\nos.symlink("../data/train_labels.npy", "results/test_preds.txt")',
    "a link out": 'import os\nos.symlink("/etc/passwd", "results/test_preds.txt")',
    "results is a link": 'import os\nos.rmdir("results")\nos.symlink("/tmp", "results")\n' + GUESS,
    "a FIFO": 'import os\nos.mkfifo("results/test_preds.txt")',
    "a folder": 'import os\nos.mkdir("results/test_preds.txt")',
    "a hundred megabytes, with holes": WRITE + "out.truncate(100 << 20)",
    "NaNs": WRITE + 'out.write("nan\\n" * 1000)',
    "1e999": WRITE + 'out.write("1e999\\n" * 1000)',
    "a float": WRITE + 'out.write("1.0\\n" * 1000)',
    "a thousand digits": WRITE + 'out.write("9" * 1000 + "\\n" + "1\\n" * 999)',
    "one line too few": WRITE + 'out.write("1\\n" * 999)',
    "two values a line": WRITE + 'out.write("1 1\\n" * 1000)',
    "no text": 'open("results/test_preds.txt", "wb").write(bytes(range(256)) * 4)',
    "nothing": WRITE,
}


@pytest.mark.slow(2)
def test_files_that_are_no_predictions(any_one):
    found = dict(zip(FILES, kinds(FILES.values(), any_one), strict=True))
    assert found == dict.fromkeys(FILES, "bad_format")


def test_a_gigabyte_does_not_fit(any_one):
    code = WRITE + 'for _ in range(1 << 10):\n    out.write("1\\n" * (1 << 19))\n'
    assert kinds([code], any_one)[0] in ("crash", "out_of_memory")


def test_unreadable_and_missing_files(any_one):
    unreadable = GUESS + 'import os\nos.chmod("results/test_preds.txt", 0)\nos.chmod("results", 0)'
    codes = ["print(1)", WRITE + 'out.write("7\\n" * 1000)', unreadable]
    assert kinds(codes, any_one)[:2] == ["no_file", "zero_score"]


# ---------------------------------------------------------------- scripts that run wild

FORK = """\
import os, time
for _ in range(500):
    if os.fork() == 0:
        time.sleep(60)
        os._exit(0)
"""
DAEMON = """\
import os, signal, time
for number in range(1, 65):
    try:
        signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError):
        pass
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        while True:
            time.sleep(0.01)
            open("results/other", "w").write("2\\n" * 1000)
            os.replace("results/other", "results/test_preds.txt")
    os._exit(0)
"""
DEAF = DAEMON.partition("if os.fork")[0] + "while True:\n    time.sleep(1)\n"
EATS = "x = []\nwhile True:\n    x.append(bytearray(32 << 20))\n"
ASKS = "import numpy\nnumpy.ones((1 << 20, 1 << 20))\n"
PRINTS = 'import sys\nwhile True:\n    sys.stdout.write("spam " * 10000)\n'


@pytest.mark.slow(5)
def test_scripts_that_run_wild(each):
    endless = kinds([DEAF, PRINTS], each, time_limit_s=2.0)
    assert endless == ["timeout", "timeout"]
    codes = [FORK, DAEMON + GUESS, EATS, ASKS, "import os, signal\nos.kill(os.getpid(), signal.SIGSEGV)"]
    found = kinds(codes, each, time_limit_s=40.0)  # as long as a busy machine may need
    assert found[0] in ("crash", "no_file")
    assert found[1] == "", "what it wrote before its end counts, and what it left behind was killed"
    assert found[2:] == ["out_of_memory", "out_of_memory", "crash"]


def test_endless_output_is_told_by_its_ends(any_one):
    code = 'print("begin")\nfor _ in range(300000):\n    print("spam spam")\nprint("end")\n' + GUESS
    fact, told = submit(code, any_one)
    assert fact["kind"] == ""
    assert "begin\nspam" in told and "spam\nend\n" in told and "characters left out" in told
    assert len(told) < 9000


def open_files():
    return sum(1 for _ in Path("/proc/self/fd").iterdir())


def test_the_host_is_unharmed(any_one, tmp_path):
    """Memory, threads and open files of this process after a dozen hostile submissions."""
    before = open_files(), threading.active_count()
    kinds([FORK, EATS, FILES["a FIFO"]], any_one, time_limit_s=2.0, limits=LIMITS)
    assert open_files() <= before[0] + 2 and threading.active_count() <= before[1] + 2
