from evaluator import Call, Script

FIND = r"""for n in 4 3 2; do zcat logs/shop.log.$n.gz; done > /tmp/all; cat logs/shop.log.1 logs/shop.log >> /tmp/all
awk '$4 == "charged" && NF == 4 {print $1, $3}' /tmp/all | python3 -c '
import datetime, sys
first, order = {}, []
for line in sys.stdin:
    when, name = line.split()
    at = datetime.datetime.strptime(when, "%Y-%m-%dT%H:%M:%SZ")
    if name in first:
        order.append((first[name], name, int((at - first[name]).total_seconds())))
    else:
        first[name] = at
for _, name, seconds in sorted(order):
    print(name, seconds)
' > answer.txt; cat answer.txt"""

RIGHT = {
    "TestOperateLogs": [
        Script(FIND),
        [Call("shell", command="ls -l logs; tail -3 logs/shop.log"), Call("shell", command=FIND), "Three."],
    ]
}

WRONG = {
    "TestOperateLogs": [
        "r1042 61\nr2077 3\nr3999 7200",
        Script(FIND.replace(" && NF == 4", "").replace('$4 == "charged"', "/charged/")),
        Script(
            FIND.replace("for n in 4 3 2; do zcat logs/shop.log.$n.gz; done > /tmp/all;", "rm -f /tmp/all;")
        ),
        Script(FIND.replace("print(name, seconds)", "print(name)")),
        Script("touch answer.txt"),
    ]
}
