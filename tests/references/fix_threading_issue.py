def nothing(messages):
    return ""


TOP = """```python
import threading
import time


class Account:
    def __init__(self, balance):
        self.balance = balance
        self.lock = threading.Lock()


def pause():
    time.sleep(0.01)  # asks the fraud service, slow


"""

MOVE = """            if source.balance < amount:
                return False
            source.balance -= amount
            target.balance += amount
            return True
```"""

RIGHT = {
    "TestFixThreadingIssue": [
        "Two opposite transfers wait for each other. Always take the locks in the same order; and a transfer "
        "to the same account must not take its lock twice.\n\n"
        + TOP
        + """def transfer(source, target, amount):
    if source is target:
        with source.lock:
            pause()
            return source.balance >= amount
    first, second = sorted((source, target), key=id)
    with first.lock:
        pause()
        with second.lock:
"""
        + MOVE,
        # the one function that changes
        """```python
def transfer(source, target, amount):
    if source is target:
        return source.balance >= amount
    first, second = (source, target) if id(source) < id(target) else (target, source)
    with first.lock, second.lock:
        pause()
        if source.balance < amount:
            return False
        source.balance -= amount
        target.balance += amount
        return True
```""",
        "Give each account a number and lock the smaller one first; an RLock takes care of transfers to oneself.\n\n"
        + TOP.replace("threading.Lock()", "threading.RLock()\n        self.number = next(Account.numbers)")
        .replace("import threading\n", "import itertools\nimport threading\n")
        .replace("class Account:\n", "class Account:\n    numbers = itertools.count()\n\n")
        + """def transfer(source, target, amount):
    low, high = (source, target) if source.number < target.number else (target, source)
    pause()
    with low.lock:
        with high.lock:
"""
        + MOVE,
    ]
}

WRONG = {
    "TestFixThreadingIssue": [
        nothing,
        # explains it well and changes nothing
        "The locks are taken in a different order by opposite transfers, which is a deadlock.\n\n"
        + TOP
        + """def transfer(source, target, amount):
    # always take the locks in the same order
    with source.lock:
        pause()
        with target.lock:
"""
        + MOVE,
        # one big lock
        TOP
        + """big_lock = threading.RLock()


def transfer(source, target, amount):
    with big_lock:
        pause()
        if True:
"""
        + MOVE,
        # ordered, but hangs on a transfer to the same account
        TOP
        + """def transfer(source, target, amount):
    first, second = sorted((source, target), key=id)
    with first.lock:
        pause()
        with second.lock:
"""
        + MOVE,
    ]
}
