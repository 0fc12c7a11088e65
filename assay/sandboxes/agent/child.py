"""From a fork of the agent to a command: another user, limits, no way back, its own descriptors."""

from __future__ import annotations

import resource

from assay.sandboxes.agent.files import BadName, write_all, write_file
from assay.sandboxes.agent.frames import pairs, unpack
from assay.sandboxes.agent.kernel import PR_SET_CHILD_SUBREAPER, PR_SET_DUMPABLE, PR_SET_PDEATHSIG, Kernel
from assay.sandboxes.agent.processes import SIGKILL
from assay.sandboxes.agent.quick import decode, os, signal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import NoReturn

OPEN_FILES = 1024
NO_CORE = 1  # byte: with 0, Linux still hands a core dump to the program that core_pattern may name
COMMANDS_OFFER = b"900"  # the kernel should kill the command for memory, not its agent
SPARES_OFFER = b"800"  # after every command, before the agent
FIRST_SPARE_AFTER_S = 0.02  # a short first command has none, for it costs 1 ms; memory takes longer to fill


class AsUser:
    """See `Nursery.as_child`."""

    def __init__(self, uid: int, gid: int) -> None:
        self.before, self.there = (os.getuid(), os.getgid()), (uid, gid)

    def __enter__(self) -> None:
        if self.there != self.before:
            os.setegid(self.there[1])
            os.seteuid(self.there[0])

    def __exit__(self, *error: object) -> None:
        if self.there != self.before:
            os.seteuid(self.before[0])
            os.setegid(self.before[1])


class Nursery:
    """Forks, and makes of each child the command's user in the work directory."""

    def __init__(self) -> None:
        self.kernel = Kernel()
        self.spare, self.wants_spare = 0, False  # a process, 0 for none; see `hold_spare`
        self.spare_after_s = FIRST_SPARE_AFTER_S
        try:  # opened while it still may be: afterwards /proc/self belongs to root
            self.oom = os.open("/proc/self/oom_score_adj", os.O_RDWR | os.O_CLOEXEC)
            self.own_offer = os.read(self.oom, 16).strip()
        except OSError:
            self.oom, self.own_offer = -1, b"0"
        self.kernel.prctl(PR_SET_DUMPABLE, 0)
        self.kernel.prctl(PR_SET_CHILD_SUBREAPER, 1)

    def settle(self, settings: Mapping[bytes, bytes]) -> None:
        """Take what the host says about every child."""
        self.env = dict(pairs(unpack(settings[b"env"])))
        self.uid = int(settings[b"child_uid"]) or os.getuid()
        self.gid = int(settings[b"child_gid"]) or (os.getgid() if self.uid == os.getuid() else self.uid)
        lower(resource.RLIMIT_CORE, NO_CORE)  # here: the filter lets nobody change it
        self.limits = [
            (resource.RLIMIT_FSIZE, int(settings[b"file_size"])),
            (resource.RLIMIT_NOFILE, OPEN_FILES),
            (resource.RLIMIT_NICE, 0),
        ]
        if int(settings[b"processes"]):
            self.limits.append((resource.RLIMIT_NPROC, int(settings[b"processes"])))
        if int(settings[b"data_limit"]):
            self.limits.append((resource.RLIMIT_DATA, int(settings[b"data_limit"])))
        if self.uid != os.getuid():
            for folder in (settings[b"work"], self.env[b"HOME"]):
                self.own(folder)
        self.bounded = not int(settings[b"watched_memory"])  # by a cgroup
        self.root = os.open(settings[b"work"], os.O_RDONLY | os.O_DIRECTORY)
        os.fchdir(self.root)
        self.kernel.confine(settings.get(b"filter_" + os.uname()[4].encode(), b""))

    def own(self, folder: bytes) -> None:
        """See that an empty folder is the commands' user's: where it is not, made anew, for nobody here may
        give folders away."""
        try:
            if os.stat(folder).st_uid == self.uid:
                return
        except FileNotFoundError:
            return
        above = folder.rpartition(b"/")[0] or b"/"
        mode = os.stat(above).st_mode & 0o7777
        os.rmdir(folder)
        os.chmod(above, 0o777)
        try:
            with self.as_child():
                os.mkdir(folder, 0o755)
        finally:
            os.chmod(above, mode)

    def as_child(self) -> AsUser:
        """A block in which files are handled as the commands' user does. Nobody can stop the agent meanwhile:
        signals and tracing go by the user that it was and will be."""
        return AsUser(self.uid, self.gid)

    def spawn(
        self, act: Callable[[dict[bytes, bytes]], None], fds: tuple[int, int, int], env: Iterable[bytes] = ()
    ) -> tuple[int, int]:
        """Fork; the child becomes the command's user, gets `fds` as 0, 1, 2 and calls `act`.

        Returns (pid, descriptor that tells why `act` did not get as far as exec: N and why for a file
        name, M for what is missing, X for anything else). OSError if there can be no child.
        """
        self.wants_spare = self.bounded and not self.spare
        hear, tell = os.pipe2(os.O_CLOEXEC)
        wait, go = os.pipe2(os.O_CLOEXEC)
        self.offer(COMMANDS_OFFER)  # it is inherited
        try:
            pid = os.fork()
        except OSError:
            for fd in (hear, tell, wait, go):
                os.close(fd)
            self.offer(self.own_offer)
            raise
        if pid:
            self.offer(self.own_offer)
            for fd in (tell, wait, go):
                os.close(fd)
            return pid, hear
        code = 125
        try:
            self.drop_privileges(fds)
            os.close(go)
            os.read(wait, 1)  # until the agent is no longer offered: a busy machine may let it wait
            environment = dict(self.env)
            environment.update(pairs(env))
            act(environment)
            code = 0
        except BadName as error:
            write_all(tell, b"N" + str(error).encode("utf-8", "replace"))
        except FileNotFoundError as error:
            write_all(tell, b"M" + str(error.strerror).encode())
        except OSError as error:
            write_all(tell, b"X" + (error.strerror or str(error)).encode("utf-8", "replace"))
        except BaseException as error:
            write_all(tell, b"X" + repr(error).encode("utf-8", "replace"))
        finally:
            os._exit(code)

    def hold_spare(self) -> None:
        """Have a process that holds some memory, for the kernel to kill before the agent; it ends with the
        command.

        The death of a program that has filled the memory with what outlives it frees next to nothing. If the
        agent asks the kernel for memory at that moment, it is the last one left, and cannot give any back.
        """
        self.wants_spare, self.spare_after_s = False, 0.0
        self.offer(SPARES_OFFER)  # it is inherited
        try:
            self.spare = os.fork()
        except OSError:  # the process limit is used up
            return self.offer(self.own_offer)
        if self.spare:
            self.offer(self.own_offer)
            return self.kernel.own_pages()  # what they were is the spare's alone now
        try:
            self.kernel.prctl(PR_SET_PDEATHSIG, SIGKILL)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            os.closerange(0, 4096)
            while True:
                signal.pause()
        finally:
            os._exit(0)

    def offer(self, score: bytes) -> None:
        """How gladly the kernel kills this process, and those forked from it, when memory runs out."""
        try:
            if self.oom >= 0:
                os.pwrite(self.oom, score, 0)
        except OSError:
            pass

    def drop_privileges(self, fds: tuple[int, int, int]) -> None:
        """In the child: leave everything of the agent behind."""
        os.setsid()
        for place, fd in enumerate(fds):
            os.dup2(fd, place)
        for limit, value in self.limits:
            lower(limit, value)
        if self.uid != os.getuid():
            os.setgroups([])
            os.setresgid(self.gid, self.gid, self.gid)
            os.setresuid(self.uid, self.uid, self.uid)
        self.kernel.prctl(PR_SET_PDEATHSIG, SIGKILL)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, ())
        os.umask(0o022)
        try:
            os.fchdir(self.root)
        except PermissionError:  # an earlier command has closed it
            os.fchmod(self.root, 0o755)
            os.fchdir(self.root)

    def command(self, argv: list[bytes], files: list[bytes]) -> Callable[[dict[bytes, bytes]], None]:
        """What a child does to become a command: write its files, and exec."""

        def act(environment: dict[bytes, bytes]) -> None:
            for raw, content in pairs(files):
                name = decode(raw)
                try:
                    write_file(self.root, name, content)
                except (BadName, OSError) as error:  # a full disk, or what earlier code planted
                    raise BadName(f"{name}: {getattr(error, 'strerror', None) or error}") from None
            execute(argv, environment)

        return act


def lower(limit: int, value: int) -> None:
    """Set both limits of a resource to `value`, or to what they may at most be."""
    hard = resource.getrlimit(limit)[1]
    if hard != resource.RLIM_INFINITY:
        value = min(value, hard)
    resource.setrlimit(limit, (value, value))


def execute(argv: list[bytes], environment: dict[bytes, bytes]) -> NoReturn:
    """Become the command, found on its own PATH. `os.execvpe` would import a module in every child."""
    for number in (1, 2, 3, 13, 15, 25):  # those that Python or the agent ignores
        signal.signal(number, signal.SIG_DFL)
    folders = [b""] if b"/" in argv[0] else environment.get(b"PATH", b"/usr/bin:/bin").split(b":")
    why: OSError = FileNotFoundError(2, "not found")
    for folder in folders:
        try:
            os.execve(folder + b"/" + argv[0] if folder else argv[0], argv, environment)
        except (FileNotFoundError, NotADirectoryError):
            continue
        except OSError as error:
            why = error
    raise type(why)(why.errno, f"{decode(argv[0])}: {why.strerror}")
