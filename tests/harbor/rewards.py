"""What a verifier has left in /logs/verifier, as a score."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping

from assay.records import Score

FULL = 1.0  # from which a reward is a PASS
MAIN = "reward"  # of several, the one that is the score
MOST = 100  # rewards in one file


def of_text(content: bytes) -> Mapping[str, float] | None:
    """The reward in a reward.txt; None for what is no number.

    >>> of_text(b" 0.5\\n"), of_text(b"nan"), of_text(b"")
    ({'reward': 0.5}, None, None)
    """
    try:
        value = float(content.decode("ascii").strip())
    except ValueError:
        return None
    return {MAIN: value} if math.isfinite(value) else None


def of_json(content: bytes) -> Mapping[str, float] | None:
    """The rewards in a reward.json, by their names; None for what holds none.

    >>> of_json(b'{"style": 0.5, "right": 1}'), of_json(b"1"), of_json(b'{"a": "b"}')
    ({'style': 0.5, 'right': 1.0}, {'reward': 1.0}, None)
    """
    try:
        found = json.loads(content)
    except (ValueError, RecursionError):
        return None
    pairs = found if isinstance(found, dict) else {MAIN: found}
    numbers = [value for value in pairs.values() if isinstance(value, (int, float))]
    if not pairs or len(pairs) > MOST or len(numbers) < len(pairs):
        return None
    if any(abs(value) > 1e300 or not math.isfinite(value) for value in numbers):
        return None
    return {str(name)[:100]: float(value) for name, value in pairs.items()}


def score_of(rewards: Mapping[str, float]) -> Score:
    """A PASS has the full reward: `reward`, or each of them if none has that name. The score is that reward,
    or the mean of all; none if one is not between 0 and 1, which the format allows."""
    counted = [rewards[MAIN]] if MAIN in rewards else list(rewards.values())
    value = sum(counted) / len(counted)
    inside = all(0 <= each <= 1 for each in counted)
    return Score(value if inside else None, min(counted) >= FULL, metrics=dict(rewards), share=True)
