"""How the model server is told to misbehave: small orders in a prompt, a model name or a queue.

An order is a few words: `429 x2 retry-after=1` answers the first two requests of one kind with
status 429 and that header, and every later one properly; without `xN` it always does. In a prompt
it stands in double brackets, `[[429 x2]]`; as a model name it is `bad-429-x2`.

Orders:
  NNN             that HTTP status; retry-after=SECONDS, retry-after=date+SECONDS, code=WORD
  slow s=1        the first byte comes after `s` seconds
  stall s=3600    headers and half of the body, then silence
  drip s=0.1      a proper reply in ten parts, so many seconds before each
  reset           the connection is reset before any byte; reset-body: in the middle of the body
  truncated       the connection ends cleanly in the middle of the body
  half-json       a complete HTTP reply whose JSON stops in the middle
  html            status 200 with a web page
  empty           no choices at all; empty-choice: a choice without a message; nothing: empty text
  refusal         the model declines; filter: the reply is stopped by a content filter
  cut TEXT        a reply that was cut off at max_tokens behind that text; context TEXT: at the context's end
  tool            the reply only calls a tool
  upstream        OpenRouter's way of saying that the model's server broke: an error inside the choice
  stream-error    of a stream: half of the events, then one that says that the server is overloaded
  stream-end      half of the events, and a clean end; garbage: one in the middle that is no JSON
  unstreamed      a proper reply, whole, although a stream was asked for
  error200        status 200 whose body is an error; code=429
  lost, broken    of a batch: no line with the result, half of one; stranger: one more, of an unknown request
  expired         of a batch: it expires before this request is answered; canceled: it is canceled before
  invalid         of a batch at OpenAI: it is refused as a whole for this line
  say TEXT        a proper reply with that text
  ok              a proper reply
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

IN_PROMPT = re.compile(r"\[\[((?:\d{3}|[a-z][a-z0-9-]*)(?: [^\]]*)?)\]\]")


@dataclass(frozen=True)
class Order:
    """`times`: how many requests of the same body it holds for, None for all of them."""

    kind: str
    times: int | None = None
    options: dict[str, str] = field(default_factory=dict)
    text: str = ""

    def seconds(self, default: float) -> float:
        return float(self.options.get("s", default))


KINDS = {
    *(
        "slow",
        "drip",
        "stall",
        "reset",
        "reset-body",
        "truncated",
        "half-json",
        "html",
        "empty",
        "empty-choice",
    ),
    *("nothing", "refusal", "filter", "error200", "say", "ok"),
    *("lost", "broken", "stranger", "expired", "canceled", "invalid"),
    *("cut", "context", "tool", "upstream", "stream-error", "stream-end", "garbage", "unstreamed"),
}


def parse(order: str) -> Order:
    """
    >>> parse("429 x2 retry-after=1")
    Order(kind='429', times=2, options={'retry-after': '1'}, text='')
    >>> parse("say hello x2").text
    'hello x2'
    """
    kind, _, rest = order.strip().partition(" ")
    if kind not in KINDS and not (kind.isdigit() and len(kind) == 3):
        raise ValueError(f"unknown order {order!r}; use a status or one of {', '.join(sorted(KINDS))}")
    if kind in ("say", "cut", "context"):
        return Order(kind, text=rest)
    times, options = None, {}
    for word in rest.split():
        name, equals, value = word.partition("=")
        if equals:
            options[name] = value
        elif re.fullmatch(r"x\d+", word):
            times = int(word[1:])
        else:
            raise ValueError(f"unknown word {word!r} in order {order!r}")
    return Order(kind, times, options)


def in_model_name(model: str) -> Order | None:
    """
    >>> in_model_name("bad-reset-body-x2")
    Order(kind='reset-body', times=2, options={}, text='')
    """
    if not model.startswith("bad-"):
        return None
    words = model.removeprefix("bad-")
    counted = re.fullmatch(r"(.*)-(x\d+)", words)
    return parse(" ".join(counted.groups()) if counted else words)


def in_prompt(prompt: str) -> Order | None:
    found = IN_PROMPT.search(prompt) if "[[" in prompt else None
    if found is None:
        return None
    try:
        return parse(found.group(1))
    except ValueError:
        return None  # a prompt may hold double brackets of its own, e.g. a bash test
