"""The least that N calls cost: aiohttp, 50 at a time, each reply parsed and checked, nothing kept.

python bench/peers/aiohttp_loop.py BASE_URL SAMPLES CONNECTIONS
"""

from __future__ import annotations

import asyncio
import sys

import aiohttp


async def main(base_url: str, samples: int, connections: int) -> None:
    questions = iter([f"Question {number}: what is {number} plus {number}?" for number in range(samples)])
    right = 0
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=connections)) as session:

        async def work() -> None:
            nonlocal right
            for question in questions:
                body = {"model": "bench", "messages": [{"role": "user", "content": question}]}
                async with session.post(f"{base_url}/chat/completions", json=body) as reply:
                    answer = await reply.json()
                right += answer["choices"][0]["message"]["content"] != ""

        await asyncio.gather(*(work() for _ in range(connections)))
    print(right)


asyncio.run(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
