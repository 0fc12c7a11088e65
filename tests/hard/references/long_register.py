"""Right and wrong replies to long_register, by a reader of the prompt's own words, who walks entry by entry and
knows beforehand which are void."""

import re

from ..long_register import prompt


def _snapshots(
    text: str, voids: bool, exchanges: bool, people_follow: bool
) -> list[tuple[int, dict, dict, dict]]:
    """After each entry: its year, firm by name, firm's facts (name, seat, owner, into), person by name."""
    lines = re.findall(r"^(\d+) \((\d{4})\): (.*)$", text, re.M)
    void = {
        found[1] for _, _, said in lines if (found := re.fullmatch(r"Entry (\d+) is declared void\.", said))
    }
    firms, facts, people, found_states = {}, {}, {}, []

    def person(name: str) -> int:
        return people.setdefault(name, (max(people.values()) if people else 0) + 1)

    def make(name: str, seat: str, owner: str, number: str) -> None:
        firms[name] = int(number)
        facts[int(number)] = {"names": [name], "seat": seat, "owner": person(owner), "into": None}

    for number, year, said in lines:
        if m := re.search(r"(?:^|new firm, )([A-Z][\w ]+?)(?: is founded)?; seat (\w+), owner (.+)\.$", said):
            make(m[1], m[2], m[3], number)
        elif m := re.fullmatch(r"(.+) is renamed (.+)\.", said):
            firms[m[2]] = firms.pop(m[1])
            facts[firms[m[2]]]["names"].append(m[2])
        elif m := re.fullmatch(r"(.+) and (.+) exchange their names\.", said):
            if exchanges:
                firms[m[1]], firms[m[2]] = firms[m[2]], firms[m[1]]
                facts[firms[m[1]]]["names"].append(m[1])
                facts[firms[m[2]]]["names"].append(m[2])
        elif m := re.fullmatch(r"(.+) moves its seat to (\w+)\.", said):
            if not (voids and number in void):
                facts[firms[m[1]]]["seat"] = m[2]
        elif m := re.fullmatch(r"(.+) is sold to (.+)\.", said):
            buyer = person(m[2])
            if not (voids and number in void):
                facts[firms[m[1]]]["owner"] = buyer
        elif m := re.fullmatch(r"(.+) is from now on called (.+)\.", said):
            if people_follow:
                people[m[2]] = people.pop(m[1])
            else:
                people[m[2]] = max(people.values()) + 1
        elif m := re.fullmatch(r"(.+) is taken up by (.+)\.", said):
            facts[firms.pop(m[1])]["into"] = firms[m[2]]
        elif m := re.fullmatch(r"(.+) is struck off\.", said):
            firms.pop(m[1])
        copied = {key: {**each, "names": list(each["names"])} for key, each in facts.items()}
        found_states.append((int(year), dict(firms), copied, dict(people)))
    return found_states


def _answer(
    seed: int, voids: bool = True, exchanges: bool = True, people_follow: bool = True
) -> dict[str, str]:
    """Without one of these, void entries count, exchanged names do not, a person with a new name is a new one."""
    text = prompt(seed)
    states = _snapshots(
        text.partition("THE REGISTER")[2].partition("QUESTIONS")[0], voids, exchanges, people_follow
    )
    _, firms, facts, _ = states[-1]

    def until(year: str) -> tuple[int, dict, dict, dict]:
        return [each for each in states if each[0] <= int(year)][-1]

    def called(people: dict, person: int) -> str:
        return next((name for name, each in people.items() if each == person), "nobody")

    said = {}
    for name, question in re.findall(
        r"^(Q\d): (.*)$", text.partition("QUESTIONS")[2].partition("Work it")[0], re.M
    ):
        if m := re.search(r"founded that is called (.+) at the end\?", question):
            firm = firms[m[1]]
            said[name] = f"{facts[firm]['names'][0]} {firm}"
        elif m := re.search(
            r"at the end of (\d+) who then owned the firm that was called (.+) at the end of (\d+)", question
        ):
            late = until(m[1])
            firm = until(m[3])[1][m[2]]
            said[name] = called(late[3], late[2][firm]["owner"])
        elif m := re.search(
            r"seat at the end of (\d+) of the firm that is called (.+) at the end\?", question
        ):
            said[name] = until(m[1])[2].get(firms[m[2]], {"seat": "none"})["seat"]
        elif m := re.search(r"was called (.+) at the end of (\d+) was later taken up", question):
            firm = until(m[2])[1][m[1]]
            while facts[firm]["into"]:
                firm = facts[firm]["into"]
            said[name] = facts[firm]["names"][-1]
        elif m := re.search(r"in entry (\d+) as (.+)\?", question):
            person = states[int(m[1]) - 1][3][m[2]]
            said[name] = str(sum(facts[each]["owner"] == person for each in firms.values()))
        elif m := re.search(r"was called (.+) at the end of (\d+)\?", question):
            late = until(m[2])
            said[name] = str(len(set(late[2][late[1][m[1]]]["names"])))
    return said


def _said(said: dict[str, str], mark: str = "") -> str:
    return "I followed each firm.\n\n" + "\n".join(
        f"{mark}{name}{mark}: {each}" for name, each in said.items()
    )


def _hurried(seed: int, **how: bool) -> str:
    try:
        return _said(_answer(seed, **how))
    except KeyError as error:  # a name that such a reader does not find
        return f"The register does not say who {error} is."


def right(seed: int) -> list[str]:
    said = _answer(seed)
    return [_said(said), _said(said, "**")]


def wrong(seed: int) -> list[str]:
    said = _answer(seed)
    count = [name for name, each in said.items() if each.isdigit()]
    return [
        _hurried(seed, exchanges=False),
        _hurried(seed, people_follow=False, voids=False, exchanges=False),
        _said({**said, count[0]: str(int(said[count[0]]) + 1)}),
        _said({**said, "Q2": "Ada Brandt"}),
        _said({**said, "Q1": said["Q1"].rsplit(" ", 1)[0]}),
        "The names are used too often to tell.",
    ]
