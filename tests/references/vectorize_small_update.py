def nothing(messages):
    return ""


HIT = """```python
import numpy as np


def hit(health, who, damage, floor):
    total = np.zeros(len(health), dtype=np.result_type(health, damage))
    np.add.at(total, who, damage)
    above = health > floor
    health[above] = np.maximum(floor, health[above] - total[above])
```"""

RIGHT = {
    "TestVectorizeSmallUpdate": [
        f"Damage adds up, and only who is above the floor can lose anything:\n\n{HIT}",
        """```python
import numpy as np

def hit(health, who, damage, floor):
    '''The loop, vectorized: damage only adds up.'''
    n = health.shape[0]
    total = np.bincount(np.where(who < 0, who + n, who), weights=damage, minlength=n)
    lowered = np.maximum(health - total, floor)
    health[...] = np.where(health > floor, lowered, health).astype(health.dtype)
```

`np.bincount` is faster than `np.add.at`, but wants indexes that are not negative.""",
    ]
}

WRONG = {
    "TestVectorizeSmallUpdate": [
        nothing,
        # one hit for each index
        "```python\nimport numpy as np\n\ndef hit(health, who, damage, floor):\n"
        "    health[who] = np.where(health[who] > floor, np.maximum(floor, health[who] - damage), health[who])\n```",
        # lifts up those below the floor
        "```python\nimport numpy as np\n\ndef hit(health, who, damage, floor):\n"
        "    np.subtract.at(health, who, damage)\n    np.maximum(health, floor, out=health)\n```",
        # a new array, the old one stays
        HIT.replace("health[above] =", "health = health.copy()\n    health[above] ="),
        "```python\nimport numpy as np\n\ndef hit(health, who, damage, floor):\n    # np.add.at would be vectorised\n"
        "    for w, d in zip(who.tolist(), damage.tolist()):\n        if health[w] > floor:\n"
        "            health[w] = max(floor, health[w] - d)\n```",
        HIT.replace("health > floor", "health >= health.min()"),
        # the loop in a function of its own
        "```python\ndef one(health, w, d, floor):\n    if health[w] > floor:\n        health[w] = max(floor, health[w] - d)\n\n"
        "def every(health, who, damage, floor):\n    for w, d in zip(who, damage):\n        one(health, w, d, floor)\n\n"
        "def hit(health, who, damage, floor):\n    every(health, who, damage, floor)\n```",
    ]
}
