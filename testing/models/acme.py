"""Providers of a package, and a call in a run."""

import asyncio

from assay.models.model_registry import ModelRegistry
from assay.records import Message, TrialKey

ASK = (Message("user", "2+2?"),)


def inside(body, *, cache=None, **settings):
    """The result of `body(models)` in a run."""

    async def run():
        async with ModelRegistry({}, {}, cache=cache, **settings) as models:
            return await body(models)

    return asyncio.run(run())


ACME = """
from assay.models.registry import Row
from assay.records import Completion, Traits, Usage

ROW = Row("", key_env=("ACME_KEY",), needs_key=True, traits=Traits(free=True))

class Acme:
    def __init__(self, settings): self.settings = settings
    def open(self): pass
    def wire(self, model, parameters): return parameters
    async def ask(self, call): return Completion(f"{call.model} at {self.settings.provider}", READ(call))
    async def close(self): pass

def connect(settings): return Acme(settings)

def READ(c): return Usage(3, len([each.content for each in c.messages] and [c.wire]))
"""


SERVED = """
from assay.models.failures import Unreadable; from assay.records import Completion
from assay.models.http_provider import HTTPProvider
from assay.models.registry import Row
ROW = Row("", base_url="http://127.0.0.1:1", needs_key=False)

class Served(HTTPProvider):
    path = "/x"
    def wire(self, model, parameters): return parameters
    async def attempt(self, call): WHAT

connect = Served
"""


async def asked_of_acme(models):
    return await models.load("acme/rocket").for_trial(TrialKey("t.T")).complete(ASK)


UNCLOSED = ACME.replace("open(self): pass", "open(self): self.client = 1").replace(
    "close(self): pass", "close(self): self.client.aclose()"
)
