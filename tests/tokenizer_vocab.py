from evaluator import *

DESCRIPTION = "Does the model know that vocab_size does not count the tokens that were added to a tokenizer?"
TAGS = ["knowledge", "python", "debug"]
DETERMINISTIC = True

question = """
I thought the resize is for exactly this?? still "IndexError: index out of range in self" as soon as a text has one of the new
tokens in it. What is wrong? Please give me the corrected script (keep the names), it will be run on other checkpoints too.

from transformers import AutoModelForCausalLM, AutoTokenizer

tokenizer = AutoTokenizer.from_pretrained("./checkpoint")
model = AutoModelForCausalLM.from_pretrained("./checkpoint")

tokenizer.add_special_tokens({"additional_special_tokens": ["<cite>", "<quote>", "<table>"]})
model.resize_token_embeddings(tokenizer.vocab_size)

inputs = tokenizer("see <cite> and <table>", return_tensors="pt")
outputs = model(**inputs)
print(outputs.logits.shape)
"""


def make_library():
    """Stands in for transformers. This checkpoint has tokens that were added to it before, one of them ours."""
    with open("transformers.py", "w") as file:
        file.write("""
class Shaped:
    def __init__(self, *shape): self.shape = shape
    def size(self, at=None): return self.shape if at is None else self.shape[at]

class Ids(list):
    @property
    def shape(self): return len(self), len(self[0])
    def max(self): return Id(max(max(row) for row in self))

class Id(int):
    def item(self): return int(self)

class Batch(dict):
    __getattr__ = dict.__getitem__
    def to(self, device): return self

class Output:
    def __init__(self, logits): self.logits, self.loss = logits, None
    def __getitem__(self, at): return (self.logits,)[at]

class Tokenizer:
    def __init__(self):
        self._base = {word: i for i, word in enumerate("<unk> see and of the".split())}
        self._added = {"<user>": 5, "<quote>": 6}
        self.additional_special_tokens, self.pad_token, self.pad_token_id = ["<user>", "<quote>"], None, None

    @property
    def vocab_size(self): return len(self._base)
    def __len__(self): return len(self.get_vocab())
    def get_vocab(self): return {**self._base, **self._added}
    def get_added_vocab(self): return dict(self._added)

    def add_tokens(self, tokens, special_tokens=False):
        before = len(self)
        for token in [tokens] if isinstance(tokens, str) else tokens:
            self._added.setdefault(token, len(self)) if token not in self._base else None
        return len(self) - before

    def add_special_tokens(self, kinds, replace_additional_special_tokens=True):
        return sum(self.add_tokens(tokens) for tokens in kinds.values())

    def convert_tokens_to_ids(self, tokens):
        if isinstance(tokens, str): return self.get_vocab().get(tokens, 0)
        return [self.convert_tokens_to_ids(token) for token in tokens]

    def encode(self, text, **more): return self.convert_tokens_to_ids(text.split())
    def __call__(self, text, **more):
        ids = [self.encode(each) for each in ([text] if isinstance(text, str) else text)]
        return Batch(input_ids=Ids(ids), attention_mask=Ids([1] * len(row) for row in ids))
    def save_pretrained(self, folder): pass

class Embedding:
    def __init__(self, rows): self.num_embeddings, self.embedding_dim, self.weight = rows, 8, Shaped(rows, 8)

class Config:
    vocab_size = 7

class Model:
    device = "cpu"
    def __init__(self): self._embedding, self.config = Embedding(7), Config()
    def get_input_embeddings(self): return self._embedding
    def get_output_embeddings(self): return self._embedding
    def resize_token_embeddings(self, rows=None, pad_to_multiple_of=None, mean_resizing=True):
        rows = self._embedding.num_embeddings if rows is None else rows
        if pad_to_multiple_of: rows = -(-rows // pad_to_multiple_of) * pad_to_multiple_of
        self._embedding = Embedding(rows)
        self.config.vocab_size = rows
        return self._embedding
    def __call__(self, input_ids, attention_mask=None, **more):
        rows = self._embedding.num_embeddings
        if any(token >= rows for row in input_ids for token in row): raise IndexError("index out of range in self")
        return Output(Shaped(len(input_ids), len(input_ids[0]), rows))
    forward = __call__
    def eval(self): return self
    def to(self, device): return self
    def save_pretrained(self, folder): pass

class AutoTokenizer:
    from_pretrained = staticmethod(lambda name, **more: Tokenizer())
class AutoModelForCausalLM:
    from_pretrained = staticmethod(lambda name, **more: Model())
""")


test_case, answer = make_python_test(
    [
        ("len(tokenizer)", "9"),  # five words, two added before, two new ones
        ("model.get_input_embeddings().num_embeddings in (9, 16, 32, 64, 128)", "True"),  # some pad it
        ("model(**tokenizer('<cite> <table> <quote> <user> of')).logits.shape[1]", "5"),
        (
            "[tokenizer.convert_tokens_to_ids(t) for t in ('the', '<user>', '<quote>', '<cite>', '<table>')]",
            "[4, 5, 6, 7, 8]",
        ),
    ]
)

TestTokenizerVocab = (
    Setup(make_library)
    >> question
    >> LLMRun()
    >> ExtractCode(lang="python", keep_main=True)
    >> PythonRun(test_case)
    >> SubstringEvaluator(answer)
)

if __name__ == "__main__":
    print(run_test(TestTokenizerVocab))
