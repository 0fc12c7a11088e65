def nothing(messages):
    return ""


SCRIPT = """```python
from transformers import AutoModelForCausalLM, AutoTokenizer

tokenizer = AutoTokenizer.from_pretrained("./checkpoint")
model = AutoModelForCausalLM.from_pretrained("./checkpoint")

tokenizer.add_special_tokens({"additional_special_tokens": ["<cite>", "<quote>", "<table>"]})
model.resize_token_embeddings(len(tokenizer))

inputs = tokenizer("see <cite> and <table>", return_tensors="pt")
outputs = model(**inputs)
print(outputs.logits.shape)
```"""

RIGHT = {
    "TestTokenizerVocab": [
        "`tokenizer.vocab_size` is the size of the base vocabulary only; `len(tokenizer)` counts the added ones too.\n\n"
        + SCRIPT,
        SCRIPT.replace(
            "model.resize_token_embeddings(len(tokenizer))",
            "rows = len(tokenizer.get_vocab())\n"
            "if rows > model.get_input_embeddings().weight.shape[0]:\n"
            "    model.resize_token_embeddings(rows, pad_to_multiple_of=8)",
        ),
        SCRIPT.replace(
            'return_tensors="pt")',
            'return_tensors="pt").to(model.device)\n'
            "assert inputs.input_ids.max().item() < model.get_input_embeddings().num_embeddings",
        ),
    ]
}

WRONG = {
    "TestTokenizerVocab": [
        nothing,
        # the reason is right, and forgets what was added before
        "vocab_size doesn't count added tokens.\n\n"
        + SCRIPT.replace("len(tokenizer)", "tokenizer.vocab_size + 3"),
        SCRIPT.replace("tokenizer.add_special", "added = tokenizer.add_special").replace(
            "len(tokenizer)", "model.config.vocab_size"
        ),
        SCRIPT.replace("len(tokenizer)", "tokenizer.vocab_size"),
        # no new tokens, no error
        SCRIPT.replace("tokenizer.add_special_tokens(", "# tokenizer.add_special_tokens("),
        "```python\n# model.resize_token_embeddings(len(tokenizer))\ntokenizer = model = None\n```",
    ]
}
