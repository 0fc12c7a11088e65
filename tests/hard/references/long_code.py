"""Right and wrong replies to long_code, by a reader of the prompt's own words."""

import re

from ..long_code import MONTHS, prompt

DAY = r"(\d+) (\w+) (\d{4})"
BODY = r"The keeper of a (\w+ \w+) .*?within (\d+) days, and pays (\d+) crowns"


def _date(words: tuple[str, str, str]) -> tuple[int, int, int]:
    return int(words[2]), MONTHS.index(words[1]), int(words[0])


def _answer(seed: int, in_order: bool = False, strict: bool = True, renumber: bool = True) -> dict[str, str]:
    """`in_order`: the acts by their numbers. Not `strict`: an amendment works whatever the section says. Not
    `renumber`: all numbers mean the sections as they stood when the act began."""
    text = prompt(seed)
    code, _, rest = text.partition("THE CODE OF KEEPERS")[2].partition("THE ACTS")
    acts, _, asked = rest.partition("QUESTIONS")
    now = [
        [thing, int(days), int(crowns)] for thing, days, crowns in re.findall(rf"Section \d+\. {BODY}", code)
    ]
    parts = [each for each in acts.strip().split("\n\n") if each.startswith("Act")]
    dated = [(_date(re.search(rf"effect on {DAY}", each).groups()), each) for each in parts]
    states = []
    for when, act in dated if in_order else sorted(dated):
        stood = list(now)
        for line in act.splitlines()[1:]:
            now = _changed(line, now, strict, stood if not renumber else now)
        states.append((when, [list(each) for each in now]))
    said = {}
    for name, question in re.findall(r"^(Q\d+): (.*)$", asked.partition("Work it out")[0], re.M):
        dates = re.search(rf"day after {DAY}", question)
        state = states[-1][1]
        if dates:
            state = [each for when, each in states if when <= _date(dates.groups())][-1]
        number = re.search(r"section (\d+) about", question)
        if number:
            said[name] = state[int(number[1]) - 1][0] if int(number[1]) <= len(state) else "none"
            continue
        thing = re.search(r"on the (\w+ \w+), and", question)[1]
        found = [n for n, each in enumerate(state, 1) if each[0] == thing] or [0]
        said[name] = f"{found[0]} {state[found[0] - 1][1]} {state[found[0] - 1][2]}"
    return said


def _changed(line: str, now: list, strict: bool, stood: list) -> list:
    numbers = [int(each) for each in re.findall(r"\d+", line.partition(") ")[2])]
    places = {id(each): n for n, each in enumerate(now)}

    def at(number: int) -> int:
        """The place of a section that has this number."""
        section = stood[number - 1] if number <= len(stood) else now[-1]
        return places.get(id(section), min(number, len(now)) - 1)

    if "is inserted" in line:
        thing, days, crowns = re.search(BODY, line).groups()
        place = at(numbers[0]) + 1
        return [*now[:place], [thing, int(days), int(crowns)], *now[place:]]
    if "repealed" in line:
        return [each for n, each in enumerate(now) if n != at(numbers[0])]
    if "are moved" in line:
        first, last, after = (at(each) for each in numbers)
        block = now[first : last + 1]
        ids = {id(each) for each in block}
        made = []
        for n, each in enumerate(now):
            if id(each) not in ids:
                made.append(each)
            if n == after:
                made += block
        return made
    if "change places" in line:
        a, b = (at(each) for each in numbers)
        made = list(now)
        made[a], made[b] = now[b], now[a]
        return made
    if "are raised" in line:
        for n in range(at(numbers[0]), at(numbers[1]) + 1):
            now[n][2] += numbers[2]
        return now
    section = now[at(numbers[0])]
    which = 1 if "days read" in line else 2
    if section[which] == numbers[1] or not strict:
        section[which] = numbers[2]
    return now


def _said(said: dict[str, str], mark: str = "") -> str:
    return "I followed each section.\n\n" + "\n".join(
        f"{mark}{name}:{mark} {each}" for name, each in said.items()
    )


def right(seed: int) -> list[str]:
    said = _answer(seed)
    commas = {
        name: each.replace(" ", ", ") if each[0].isdigit() else each.title() for name, each in said.items()
    }
    return [_said(said), _said(commas, "**")]


def wrong(seed: int) -> list[str]:
    said = _answer(seed)
    return [
        _said(_answer(seed, in_order=True)),
        _said(_answer(seed, renumber=False)),
        _said({**said, "Q2": f"{int(said['Q2'].split()[0]) + 1} {said['Q2'].split(' ', 1)[1]}"}),
        _said({**said, "Q6": "stone stone"}),
        _said({name: said[name] for name in list(said)[:-1]}),
        "The acts contradict each other.",
    ]
