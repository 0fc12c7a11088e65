"""Plausible records for looking at the report and for its tests. Models and outcomes are invented.

`python -m testing.report.sample_records OUT [--models 12] [--tests 40] [--epochs 5]` writes a report.
"""

from __future__ import annotations

import argparse
import io
import random
from collections.abc import Iterable, Iterator
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

from assay.records import Block, Cause, Outcome, Table, TrialRecord, Usage

MODELS = (
    "aurora/heron-4-large", "fjord/petrel-9", "cinder/kestrel-6-pro", "aurora/heron-4-mini",
    "sirocco/swift-large-2611", "tidal/curlew-v5", "lantern/plover-coder-480b",
    "meadow/wren-6-70b", "harbour/tern-z", "local/dunnock-7b", "my-server/tiny-test-model",
    "local/goldcrest-2b",
)  # fmt: skip
TESTS = (
    "print_hello", "program_sqrt", "easy_parser_generator", "make_sqlite_table", "explore_sql_db",
    "git_merge", "git_cherrypick", "bash_renamer", "bash_find_dont_contain", "c_convert_to_faster",
    "rust_word_count", "java_streams", "clojure_transduce", "javascript_debounce", "cpp_matrix_chain",
    "flexbox_webpage", "webgl_triangle", "draw_flag_bmp", "python_chess_game_prefix", "python_jpeg",
    "fix_tokenizer", "fix_with_patch", "json_schema_repair", "regex_remove_5_words", "numpy_advanced_index",
    "shorten_c_function", "what_is_automodel", "faster_l2_diff", "explain_code_prime", "decompile_py_simple",
    "strided_trick", "torch_jnp", "unit_conversion_math", "vectorize_small_update", "whats_the_paper",
    "knowledge_boost", "logprobs_of_tokens", "emoji_movies", "play_20_questions", "save_expired_html",
)  # fmt: skip
TAGS = ("code", "python", "bash", "c", "rust", "java", "sql", "git", "web", "visual", "knowledge", "fix")

_PROGRAM = '''\
import sys
from collections import deque


def {name}(items, limit={limit}):
    """Yield the running totals of the last `limit` items."""
    window = deque(maxlen=limit)
    for index, item in enumerate(items):
        window.append(item)
        if len(window) == limit and index % 2 == 0:
            yield sum(window) / len(window)  # the mean, not the sum


class Reader:
    separator = ","

    def __init__(self, path: str) -> None:
        self.path = path
        self.rows = []

    def load(self) -> int:
        with open(self.path, encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                try:
                    self.rows.append([float(part) for part in line.split(self.separator)])
                except ValueError as error:
                    print(f"line {{number}}: {{error}}", file=sys.stderr)
        return len(self.rows)


if __name__ == "__main__":
    reader = Reader(sys.argv[1])
    print(reader.load(), *{name}(row[0] for row in reader.rows))
'''


def picture(seed: int) -> bytes:
    """A small PNG: a few shapes on a plain ground, as a model's web page might look."""
    from PIL import Image, ImageDraw

    draw = random.Random(seed)
    image = Image.new("RGB", (360, 220), (245, 245, 240))
    pen = ImageDraw.Draw(image)
    pen.rectangle((0, 0, 360, 34), fill=(47, 93, 138))
    pen.text((12, 10), f"page {seed}", fill=(255, 255, 255))
    for column in range(3):
        colour = tuple(draw.randrange(90, 230) for _ in range(3))
        pen.rounded_rectangle((14 + column * 115, 54, 114 + column * 115, 196), 8, fill=colour)
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


def explanation(test: str, passed: bool, draw: random.Random, image: str = "", model: str = "m") -> Block:
    """Steps as the engine leaves them: prompt, reply, code, output, verdict; about 3 KB."""
    name = test.split("_")[0]
    code = _PROGRAM.format(name=name, limit=draw.randrange(2, 90))
    prompt = (
        "Write a python program that reads comma-separated numbers from the file named by its first "
        f"argument and prints how many rows it read, followed by the moving averages of the "
        f"first column ({test}). "
        "Rows that hold anything but numbers are reported on stderr and skipped."
    )
    reply = (
        f"Here is a program for **{test}**. It reads the rows once and keeps a bounded window:\n\n"
        f"```python\n{code}```\n\nTwo remarks:\n\n- `deque(maxlen=...)` drops the oldest item by itself;\n"
        f"- malformed rows are *reported*, not fatal.\n\n"
        f"Run {draw.randrange(1000)} agrees with a check by hand."
    )
    output = "\n".join(f"{index * 1.5 + draw.random():.4f}" for index in range(8)) + "\n"
    steps = [
        Block("group", "LLMRun", children=(Block("chat", f"asked {model}", prompt, role="user"),
                                           Block("chat", f"{model} replied", reply, role="assistant"))),
        Block("group", "ExtractCode", children=(Block("code", "program", code, "python"),)),
        Block("group", "PythonRun", children=(Block("text", "output", output),)),
    ]  # fmt: skip
    if image:
        steps.append(
            Block("group", "SeleniumDraw", children=(Block("image", "the page as rendered", file=image),))
        )
    verdict = Block(
        "verdict", "SubstringEvaluator", f"output {'contains' if passed else 'lacks'} '12.5'", passed=passed
    )
    ended = "passed" if passed else "failed"
    both = Block(
        "group",
        "either of" if passed else "both of",
        children=(verdict, Block("verdict", "NotNode", f"not needed: the left side {ended}")),
    )
    steps.append(verdict if draw.random() < 0.7 else both)
    return Block("group", children=tuple(steps))


def sample_records(
    images: Path | None, models: int = 12, tests: int = 40, epochs: int = 5, *, pictures: bool = True
) -> list[TrialRecord]:
    """`models` x `tests` x `epochs` records; stores the pictures that they show in `images`, if any."""
    stored = []
    for data in map(picture, range(6)) if images is not None and pictures else ():
        images.mkdir(parents=True, exist_ok=True)
        stored.append(f"{sha256(data).hexdigest()}.png")
        (images / stored[-1]).write_bytes(data)
    found = []
    for t in range(tests):
        stem = TESTS[t % len(TESTS)] + ("" if t < len(TESTS) else f"_{t // len(TESTS)}")
        name = f"{stem}.Test{''.join(part.title() for part in stem.split('_'))}"
        ease = random.Random(t).betavariate(1.3, 0.9)
        needs_missing = stem in ("clojure_transduce", "webgl_triangle")
        for m in range(models):
            model = MODELS[m] if m < len(MODELS) else f"lab-{m}/model-{m}"
            skill = 0.99 - 0.07 * min(m, 12)
            for epoch in range(1, epochs + 1):
                draw = random.Random(f"{t}/{m}/{epoch}")
                passed = draw.random() < min(0.98, skill * (0.35 + 0.75 * ease) + 0.1 * (ease > 0.8))
                outcome = Outcome.PASS if passed else Outcome.FAIL
                error, reason = "", explanation(stem, passed, draw, _image(stored, stem, draw), model)
                if needs_missing and m % 4 == 1:
                    outcome, reason = Outcome.SKIPPED, None
                    error = "sandbox bubblewrap+host lacks clojure"
                elif (m == 9 and t % 11 == 3) or draw.random() < 0.004:
                    outcome = Outcome.ERROR
                    error = "Transient: 503 Service Unavailable after 6 attempts"
                found.append(
                    TrialRecord(
                        test=name, model=model, epoch=epoch, outcome=outcome, error=error, reason=reason,
                        usage=Usage(draw.randrange(150, 400), draw.randrange(300, 1500), 0),
                        cost=None if model.startswith(("local", "my-server")) and m % 2 == 0
                        else draw.random() * 0.004 * (13 - min(m, 12)),
                        calls=1, attempts=1, seconds=2 + draw.random() * 9,
                        model_seconds=1 + draw.random() * 6,
                        sandbox_seconds=draw.random(), sandbox="podman", limits="default",
                        started_at=f"2026-11-20T{9 + epoch:02}:{t % 60:02}:{m:02}Z",
                        commit="4f3c2b1a9d8e7f60", fingerprint=f"{t:08x}", versions={"assay": "0.1.0"},
                        judges={"eval_llm": "aurora/heron-4-large"},
                        description="Can the model write a complete program that works the first time?",
                        tags=("code", TAGS[t % len(TAGS)]), source=f"tests/{stem}.py",
                    )
                )  # fmt: skip
    return found


def _image(stored: list[str], stem: str, draw: random.Random) -> str:
    shows = any(word in stem for word in ("webpage", "triangle", "flag", "html", "jpeg"))
    return draw.choice(stored) if shows and stored else ""


def scored_records(models: int = 4) -> list[TrialRecord]:
    """A second suite whose trials have a numeric score."""
    found = []
    for test in ("shapes_easy", "shapes_hard", "digits_unsup", "chess_winners"):
        for m in range(models):
            for epoch in range(1, 4):
                draw = random.Random(f"{test}/{m}/{epoch}")
                score = round(min(1.0, max(0.0, draw.gauss(0.85 - 0.1 * m, 0.1))), 4)
                found.append(
                    TrialRecord(
                        test=f"{test}.Task", model=MODELS[m], epoch=epoch, suite="weirdml", score=score,
                        outcome=Outcome.PASS if score > 0.5 else Outcome.FAIL,
                        metrics={"first": score / 2, "best": score}, cost=0.02,
                        calls=5, seconds=60 + draw.random(),
                        description="Accuracy on held-out data", tags=("ml",),
                        reason=Block("verdict", "accuracy", f"{score} on 1,000 samples", passed=score > 0.5),
                    )
                )  # fmt: skip
    return found


CAUSES = (
    (Cause.WRONG, "output lacks '12.5'; it was '0.8833\\n1.7302\\n3.4950\\n5.2951\\n6.5223\\n'"),
    (Cause.CUT_OFF, "the reply was cut off at 8,192 tokens; its last block of code is not closed"),
    (Cause.TIMED_OUT, "the program was stopped at its time limit of 20 s"),
    (Cause.CRASHED, "the program crashed (exit 1): IndexError: deque index out of range"),
    (Cause.NO_CODE, "the reply holds no block of code"),
    (Cause.REFUSED, "the model refused to answer"),
)


def with_causes(records: Iterable[TrialRecord]) -> Iterator[TrialRecord]:
    """Failures of several kinds, in place of a wrong answer each time."""
    for record in records:
        draw = random.Random(f"{record.test}/{record.model}/{record.epoch}")
        cause, why = draw.choices(CAUSES, (12, 3, 2, 2, 1, 1))[0]
        failed = record.outcome is Outcome.FAIL and record.suite == "applied"
        yield replace(record, cause=cause, why=why) if failed else record


def sample_tables() -> list[Table]:
    """A table as a suite computes it."""
    rows = (("aurora/heron-4-large", 0.8412, 0.912, 4), ("fjord/petrel-9", 0.803, None, 3))
    return [Table("WeirdML", ("model", "mean", "shapes_easy", "tasks"), rows, "Mean over the tasks present.")]


def main() -> None:
    from assay.report.html import write_report
    from testing.report.demo_suite import SUITE, demo_records

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--models", type=int, default=12)
    parser.add_argument("--tests", type=int, default=40)
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--demo", action="store_true", help="with a suite that draws pictures and has pages")
    args = parser.parse_args()
    images = args.out / "stored-images"
    records = sample_records(images, args.models, args.tests, args.epochs)
    tables, suites = [], []
    if args.models > 4:
        records += scored_records()
        tables = sample_tables()
    records = list(with_causes(records))
    if args.demo:
        records += demo_records(MODELS[: max(1, args.models)])
        suites = [SUITE]
    for problem in write_report(
        records, args.out, images=images, tables=tables, suites=suites, root=Path.cwd()
    ).problems:
        print(problem)


if __name__ == "__main__":
    main()
