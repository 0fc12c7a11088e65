"""`import llm`, as older notebooks and scripts say: the models, which live in assay/llms/.

For a checkout only. What is installed has no module of so general a name.
"""

from assay.llms.models import ApiModel, Models, Target
from assay.records import EVAL_LLM, LLM, VISION_EVAL_LLM

__all__ = ["EVAL_LLM", "LLM", "VISION_EVAL_LLM", "ApiModel", "Models", "Target"]
