"""What the host does about memory, processes, CPU time, system calls and devices of a sandbox."""
