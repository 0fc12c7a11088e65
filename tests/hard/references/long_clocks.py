"""Right and wrong replies to long_clocks, by a reader of the prompt's own words."""

import re

from ..long_clocks import prompt


def _ms(stamp: str) -> int:
    hours, minutes, seconds = stamp.split(":")
    return round((int(hours) * 3600 + int(minutes) * 60 + float(seconds)) * 1000)


def _answer(seed: int, convert: bool = True, anew: bool = True) -> dict[str, int]:
    """Without `convert` stamps are taken as they stand; without `anew` the first beacon is used throughout."""
    text = prompt(seed)
    logs = {}
    for name, body in re.findall(r"LOG OF THE (\w+)\n\n(.*?)\n\n", text, re.S):
        logs[name.lower()] = [(_ms(line[:12]), line[13:]) for line in body.splitlines()]
    beacons = {said: at for at, said in logs["gate"] if said.startswith("beacon")}
    orders, slips, sheets, boxes, settings = {}, {}, {}, {}, {}
    for machine in ("gate", "desk", "press", "vault"):
        offset = None
        for at, said in logs[machine]:
            if said.startswith("beacon"):
                new = at - beacons[said]
                if offset is not None:
                    settings[machine, said] = new - offset
                if offset is None or anew:
                    offset = new
                continue
            when = at - (offset if convert else 0)
            if found := re.fullmatch(r"order (\d+) from \w+ goes to the desk as slip (\S+)", said):
                orders[int(found[1])] = {"number": int(found[1]), "came": when}
                slips.setdefault(found[2], []).append(orders[int(found[1])])
            elif found := re.fullmatch(r"slip (\S+) opened by clerk \d", said):
                slips[found[1]][0]["opened"] = when
            elif found := re.fullmatch(r"slip (\S+) goes to the press as sheet (\S+)", said):
                sheets.setdefault(found[2], []).append(slips[found[1]].pop(0))
            elif found := re.fullmatch(r"sheet (\S+) goes to the vault as box (\S+)", said):
                boxes.setdefault(found[2], []).append(sheets[found[1]].pop(0))
            elif found := re.fullmatch(r"sheet (\S+) (laid|asks|gets|gives).*?(\d?)", said):
                sheets[found[1]][0][found[2]] = when
                sheets[found[1]][0]["seal"] = said[-1]
            elif found := re.fullmatch(r"box (\S+) shelved in row \d", said):
                boxes[found[1]].pop(0)["shelved"] = when
    every = list(orders.values())

    def last(event: str, when: int) -> int:
        return max((each for each in every if each[event] < when), key=lambda each: each[event])["number"]

    said = {}
    for name, question in re.findall(
        r"^(Q\d): (.*)$", text.partition("QUESTIONS")[2].partition("Work it")[0], re.M
    ):
        found = re.search(r"order (\d+)", question)
        order = orders[int(found[1])] if found else {}
        if "box shelved" in question:
            said[name] = order["shelved"] - order["came"]
        elif "get its seal" in question:
            said[name] = order["gets"] - order["opened"]
        elif "held that seal" in question:
            held = [e for e in every if e["seal"] == order["seal"] and e["gets"] < order["asks"] < e["gives"]]
            said[name] = (held or every)[0]["number"]
        elif "laid out before" in question:
            said[name] = last("laid", order["came"])
        elif "shelved before" in question:
            said[name] = last("shelved", order["opened"])
        elif "opened before" in question:
            said[name] = last("opened", order["gives"])
        else:
            machine, beacon = re.search(r"clock of the (\w+) set forward at (beacon \d+)", question).groups()
            said[name] = settings[machine, beacon]
    return said


def _said(said: dict[str, int], mark: str = "") -> str:
    return "I followed each order.\n\n" + "\n".join(
        f"{mark}{name}{mark}: {each}" for name, each in said.items()
    )


def right(seed: int) -> list[str]:
    said = _answer(seed)
    return [_said(said), _said(said, "**") + " ms"]


def wrong(seed: int) -> list[str]:
    said = _answer(seed)
    return [
        _said(_answer(seed, convert=False)),
        _said(_answer(seed, anew=False)),
        _said({**said, "Q8": -said["Q8"]}),
        _said({**said, "Q1": said["Q1"] + 1000}),
        _said({**said, "Q4": said["Q4"] + 1}),
        "The clocks cannot be compared.",
    ]
