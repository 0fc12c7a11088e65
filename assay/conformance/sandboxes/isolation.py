# ruff: noqa: E501 - programs read best in one piece
"""A program sees and reaches nothing of the host and nothing of another sandbox."""

from __future__ import annotations

import asyncio
import subprocess
import tempfile
from pathlib import Path

from assay.conformance.sandboxes.suite import python, shell
from assay.records import Limits
from assay.sandboxes.backends.registry import Backend


def two_sandboxes_do_not_see_each_other(isolated: Backend) -> None:
    async def main() -> None:
        one, two = await asyncio.gather(*(isolated.open(Limits(), "conformance") for _ in range(2)))
        try:
            secret = "/tmp/assay-secret-of-one"
            await one.run(
                ["bash", "-c", f"echo x > {secret}; echo x > $HOME/s; echo x > /dev/shm/s; echo x > s"]
            )
            terminal = await one.start(["sleep", "4242"])
            script = f"cat {secret} $HOME/s /dev/shm/s s; cat /proc/[0-9]*/cmdline | tr '\\0' ' '"
            result = await two.run(["bash", "-c", script])
            assert b"x" not in result.stdout.split() and b"4242" not in result.stdout
            await terminal.close()
        finally:
            await asyncio.gather(one.close(), two.close())

    asyncio.run(main())


def nothing_of_one_sandbox_is_in_the_next(isolated: Backend) -> None:
    shell(isolated, "echo x > /tmp/left; echo x > left; echo x > $HOME/left")
    result = shell(isolated, "ls /tmp/left left $HOME/left")
    assert result.stdout == b""


def there_is_no_network(isolated: Backend) -> None:
    program = (
        "import socket\n"
        "for host, port in (('1.1.1.1', 53), ('93.184.216.34', 80), ('10.0.0.1', 80), ('169.254.169.254', 80)):\n"
        "    try: socket.create_connection((host, port), 1); print('reached', host)\n"
        "    except OSError: pass\n"
        "try: print('resolved', socket.gethostbyname('example.com'))\n"
        "except OSError: pass\n"
        "print(sorted(name for _, name in socket.if_nameindex()))\n"
    )
    names = python(isolated, program).stdout.split(b"\n")[0]
    assert not names.startswith((b"reached", b"resolved")) and b"eth" not in names


def the_hosts_loopback_and_abstract_sockets_are_out_of_reach(isolated: Backend) -> None:
    import socket

    with socket.create_server(("127.0.0.1", 0)) as server, socket.socket(socket.AF_UNIX) as abstract:
        abstract.bind("\0assay-conformance-abstract")
        abstract.listen()
        program = (
            "import socket\n"
            f"for family, where in ((socket.AF_INET, ('127.0.0.1', {server.getsockname()[1]})), (socket.AF_UNIX, '\\0assay-conformance-abstract')):\n"
            "    try: socket.socket(family).connect(where); print('reached', where)\n"
            "    except OSError as error: print('refused')\n"
        )
        result = python(isolated, program)
        assert result.stdout == b"refused\nrefused\n"


def the_sandboxs_own_loopback_works(isolated: Backend) -> None:
    program = (
        "import socket\ns = socket.create_server(('localhost', 0))\n"
        "c = socket.create_connection(s.getsockname()); c.send(b'hi'); print(s.accept()[0].recv(2))"
    )
    result = python(isolated, program)
    assert result.stdout == b"b'hi'\n"


def host_files_are_absent_or_unreadable(isolated: Backend) -> None:
    with tempfile.TemporaryDirectory(prefix="assay-conformance-") as outside:
        secret = Path(outside) / "secret"
        secret.write_text("the-secret")
        Path(outside).chmod(0o755)
        secret.chmod(0o644)
        here = Path(__file__).resolve()
        looked_for = f"{secret} {here} /etc/shadow /root/.ssh/id_rsa /root/.bashrc /proc/1/root/{secret} /var/run/docker.sock"
        result = shell(
            isolated, f"for f in {looked_for}; do cat $f >/dev/null 2>&1 && echo found $f; done; true"
        )
        assert result.stdout == b""


def system_folders_are_read_only(isolated: Backend) -> None:
    script = "for d in / /usr /usr/bin /etc /usr/src /dev /usr/local /var /home /run; do touch $d/x 2>/dev/null && echo wrote $d; done; true"
    result = shell(isolated, script)
    assert result.stdout == b""


def a_program_has_no_privileges(isolated: Backend) -> None:
    result = shell(
        isolated,
        "id -u; grep -E '^(CapEff|CapPrm|CapBnd|NoNewPrivs)' /proc/self/status; ulimit -c; ulimit -n",
    )
    words = result.stdout.split()
    assert words[0] != b"0" and words[2::2][:4] == [b"0000000000000000"] * 2 + words[6:7] + [b"1"]
    assert words[-2:] == [b"0", b"1024"]


def host_processes_are_invisible(isolated: Backend) -> None:
    with subprocess.Popen(["sleep", "60"]) as neighbour:
        try:
            result = shell(isolated, "cat /proc/[0-9]*/comm")
        finally:
            neighbour.kill()
    assert b"sleep" not in result.stdout and len(result.stdout.split()) < 8
