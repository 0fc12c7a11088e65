"""The names of the models that a test may ask. Imports nothing of ours."""

LLM = "llm"  # the model under test
EVAL_LLM = "eval_llm"  # the judge
VISION_EVAL_LLM = "vision_eval_llm"  # the judge of pictures
ROLES = (LLM, EVAL_LLM, VISION_EVAL_LLM)
