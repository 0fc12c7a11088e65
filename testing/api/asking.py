"""The test that most tests of the API run."""

import assay


def question(text="How much?", wanted="42"):
    return text >> assay.LLMRun() >> assay.SubstringEvaluator(wanted)
