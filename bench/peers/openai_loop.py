"""The least a harness could do: N calls through the openai SDK, 50 at a time, each reply checked.

python bench/peers/openai_loop.py BASE_URL SAMPLES CONNECTIONS
"""

from __future__ import annotations

import asyncio
import sys

from openai import AsyncOpenAI


async def main(base_url: str, samples: int, connections: int) -> None:
    client = AsyncOpenAI(base_url=base_url, api_key="none")
    questions = iter([f"Question {number}: what is {number} plus {number}?" for number in range(samples)])
    right = 0

    async def work() -> None:
        nonlocal right
        for question in questions:
            answer = await client.chat.completions.create(
                model="bench", messages=[{"role": "user", "content": question}], temperature=0
            )
            right += (answer.choices[0].message.content or "") != ""

    await asyncio.gather(*(work() for _ in range(connections)))
    print(right)


asyncio.run(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
