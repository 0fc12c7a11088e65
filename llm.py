"""`import llm`, as older notebooks and scripts say: the models, which live in assay/models/.

For a checkout only. What is installed has no module of so general a name.
"""

from assay.models.api_model import ApiModel
from assay.models.model_registry import ModelRegistry, Target
from assay.records import EVAL_LLM, LLM, VISION_EVAL_LLM

Models = ModelRegistry  # its name before

__all__ = ["EVAL_LLM", "LLM", "VISION_EVAL_LLM", "ApiModel", "ModelRegistry", "Models", "Target"]
