def nothing(messages):
    return ""


def block(*commands):
    return "```bash\n" + "\n".join(commands) + "\n```"


CONVERT = "qemu-img convert -p -c -f raw -O qcow2 /dev/sdb backup.qcow2"
COMPARE = "qemu-img compare -f raw -F qcow2 /dev/sdb backup.qcow2"

RIGHT = {
    "TestWhatIsORaw": [
        "It is `-O raw`, the format of the output (and `-f qcow2` that of the input), written without the blank.\n\n"
        + block(CONVERT, COMPARE),
        block(
            "sudo qemu-img convert -pcfraw -Oqcow2 /dev/sdb ./backup.qcow2 \\",
            "  && sudo qemu-img compare -fqcow2 -Fraw -p backup.qcow2 /dev/sdb",
        ),
        block(
            "set -e", "qemu-img convert -O qcow2 -c -o compression_type=zstd /dev/sdb backup.qcow2", COMPARE
        ),
    ]
}

WRONG = {
    "TestWhatIsORaw": [
        nothing,
        block(CONVERT.replace(" -c", ""), COMPARE),
        block(CONVERT.replace("/dev/sdb backup.qcow2", "backup.qcow2 /dev/sdb"), COMPARE),  # over the disk
        # explains it rightly, and turns the wrong one round
        "-O is the output's format.\n"
        + block(CONVERT.replace("-f raw -O qcow2", "-f qcow2 -O raw"), COMPARE),
        block(CONVERT, COMPARE.replace("-f raw -F qcow2", "-f qcow2 -F raw")),
        block(CONVERT, "qemu-img check backup.qcow2"),
        block(CONVERT, "cmp /dev/sdb backup.qcow2"),
        block("echo '" + CONVERT + "'", "# " + COMPARE),
    ]
}
