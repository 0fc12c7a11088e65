"""The least a harness could do by litellm: the same questions, 50 at a time, each reply compared.

python bench/peers/litellm_loop.py BASE_URL QUESTIONS.json CONNECTIONS, the file: [[question, answer], ...]
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from pathlib import Path

os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"  # no look-up on the network at import

import litellm


async def main(base_url: str, pairs: list[list[str]], connections: int) -> None:
    questions = iter(pairs)
    right = 0

    async def work() -> None:
        nonlocal right
        for question, answer in questions:
            reply = await litellm.acompletion(
                model="mistral/bench",
                messages=[{"role": "user", "content": question}],
                api_base=base_url,
                api_key="none",
                temperature=0,
            )
            right += (reply.choices[0].message.content or "").strip() == answer

    await asyncio.gather(*(work() for _ in range(connections)))
    print(right)


asyncio.run(main(sys.argv[1], json.loads(Path(sys.argv[2]).read_text("utf-8")), int(sys.argv[3])))
