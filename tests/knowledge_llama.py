from evaluator import *

DESCRIPTION = "Does the model know how the first LLaMA models were built, well enough to count their weights?"
TAGS = ["knowledge", "math", "json"]

question = """
For a memory calculator I need the numbers of the *original* LLaMA (the ones of February 2023, not llama 2 or 3). Just JSON,
all whole numbers:

{"vocabulary": .., "context": ..,
 "7B": {"layers": .., "dim": .., "heads": .., "ffn_hidden": .., "billion_training_tokens": ..},
 "65B": {"layers": .., "dim": .., "heads": .., "billion_training_tokens": ..},
 "parameters_7B_exact": .., "kv_cache_bytes_per_token_7B_fp16": ..}

the exact count with everything: embedding and output layer (they are not tied), attention, mlp, norms.
"""

vocabulary, layers, dim, hidden = 32000, 32, 4096, 11008
# four attention matrices, three of the gated mlp, two norms a layer; embedding, output, last norm
parameters = layers * (4 * dim * dim + 3 * dim * hidden + 2 * dim) + 2 * vocabulary * dim + dim

goal = {
    "vocabulary": vocabulary,
    "context": 2048,
    "7B": {"layers": layers, "dim": dim, "heads": 32, "ffn_hidden": hidden, "billion_training_tokens": 1000},
    "65B": {"layers": 80, "dim": 8192, "heads": 64, "billion_training_tokens": 1400},
    "parameters_7B_exact": parameters,
    "kv_cache_bytes_per_token_7B_fp16": 2 * layers * dim * 2,
}

TestKnowledgeLlama = question >> LLMRun() >> ExtractJSON() >> JSONSubsetEvaluator(goal)

if __name__ == "__main__":
    print(run_test(TestKnowledgeLlama))
