NUMBERS = """{"vocabulary": 32000, "context": 2048,
 "7B": {"layers": 32, "dim": 4096, "heads": 32, "ffn_hidden": 11008, "billion_training_tokens": 1000},
 "65B": {"layers": 80, "dim": 8192, "heads": 64, "billion_training_tokens": 1400},
 "parameters_7B_exact": 6738415616, "kv_cache_bytes_per_token_7B_fp16": 524288}"""

RIGHT = {
    "TestKnowledgeLlama": [
        NUMBERS,
        "Per layer: 4 x 4096^2 + 3 x 4096 x 11008 + 2 x 4096 = 202,383,360.\n\n```json\n"
        + NUMBERS.replace("\n", "")
        + "\n```\nThe 33B one also saw 1.4T tokens.",
    ]
}

WRONG = {
    "TestKnowledgeLlama": [
        lambda messages: "",
        # those of llama 2
        NUMBERS.replace('"context": 2048', '"context": 4096')
        .replace(": 1000}", ": 2000}")
        .replace(": 1400}", ": 2000}"),
        NUMBERS.replace("6738415616", "7000000000"),
        NUMBERS.replace("6738415616", "6607343616"),  # tied
        NUMBERS.replace('"ffn_hidden": 11008', '"ffn_hidden": 16384'),  # four times, without the gate
        NUMBERS.replace("524288", "262144"),  # keys without values
        '{"7B": {"layers": 32, "dim": 4096, "note": "vocabulary 32000, context 2048, 6738415616 parameters"}}',
    ]
}
