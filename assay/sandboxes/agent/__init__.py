"""
The program that runs inside every sandbox and starts the untrusted commands there.

Standard library only, Python 3.9 or later, and few imports: its modules are sent into the sandbox at
each opening (`wire.py`), so its start is part of what a sandbox costs. It reads requests on its stdin,
forks a child for each command and answers on a private copy of its stdout (`client.py` is the other end).

What the commands may not do, and what stands against it:

- forge an answer: the answer descriptor is private and closed on exec, the agent's own fd 1 leads
  nowhere, and every frame carries a keyed hash over its number and content
- read the agent's memory or descriptors: PR_SET_DUMPABLE 0, so /proc/PID/{mem,fd} are closed to them
- stop the agent: another uid where there is one; otherwise the agent is pid 1 of its pid namespace,
  which ignores what its descendants send, and a seccomp filter keeps them from its resource limits
- outlive their command: the agent is the reaper of all orphans, and kills whatever is left
"""

# In the order in which they are sent: each imports only from those before it.
MODULES = (
    "quick",
    "frames",
    "files",
    "trees",
    "kernel",
    "processes",
    "waiting",
    "host",
    "child",
    "command",
    "terminal",
    "main",
)
