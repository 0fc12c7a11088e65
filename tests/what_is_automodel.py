from evaluator import *

DESCRIPTION = "Does the model know what AutoModel leaves out, and use a classifier as one should?"
TAGS = ["knowledge", "code", "python", "debug"]
REQUIRES = ["python:torch"]
DETERMINISTIC = True

question = """
what is an AutoModel actually?? the model card says it is a fine-tuned classifier but I get AttributeError:
'BaseModelOutput' object has no attribute 'logits'. and with texts of different length "Unable to create tensor, you
should probably activate truncation and/or padding". Please correct my function so that it returns the label (as named in
the model's config) for each text, all in one batch. No pipeline please, I'll need the tensors in there
later; for now it returns only the list of labels.

import torch
from transformers import AutoModel, AutoTokenizer

def route(texts, checkpoint="our-org/ticket-router"):
    tokenizer = AutoTokenizer.from_pretrained(checkpoint)
    model = AutoModel.from_pretrained(checkpoint)
    inputs = tokenizer(texts, return_tensors="pt")
    outputs = model(inputs["input_ids"])
    return outputs.logits.argmax()
"""


def make_library():
    """Stands in for transformers, with a checkpoint whose answer depends on padding being masked."""
    with open("transformers.py", "w") as file:
        file.write("""
import torch

WORDS = {w: i for i, w in enumerate("[PAD] invoice refund paid crash error login parcel late lost the my is".split())}
KINDS = {0: "billing", 1: "bug", 2: "shipping", 3: "other"}

class Encoding(dict):
    def __getattr__(self, name): return self[name]
    def to(self, device): return self

class AutoTokenizer:
    from_pretrained = classmethod(lambda cls, name, **more: cls())
    pad_token, pad_token_id, model_max_length = "[PAD]", 0, 12
    def __call__(self, text, padding=False, truncation=False, return_tensors=None, max_length=None, **more):
        rows = [text] if isinstance(text, str) else list(text)
        rows = [[WORDS.get(word, 12) for word in row.lower().split()] or [12] for row in rows]
        if truncation: rows = [row[:max_length or 12] for row in rows]
        longest = 12 if padding == "max_length" else max(map(len, rows))
        mask = [[1] * len(row) for row in rows]
        if padding:
            rows, mask = ([row + [0] * (longest - len(row)) for row in part] for part in (rows, mask))
        if return_tensors == "pt":
            if len({len(row) for row in rows}) > 1:
                raise ValueError("Unable to create tensor, you should probably activate truncation and/or padding")
            rows, mask = torch.tensor(rows), torch.tensor(mask)
        return Encoding(input_ids=rows, attention_mask=mask)
    batch_encode_plus = __call__

class BaseModelOutput:
    def __init__(self, **fields): vars(self).update(fields)
    def __getitem__(self, at): return list(vars(self).values())[at] if isinstance(at, int) else vars(self)[at]

class SequenceClassifierOutput(BaseModelOutput): pass

class Config:
    id2label, num_labels = KINDS, 4
    label2id = {label: i for i, label in KINDS.items()}

class _Model(torch.nn.Module):
    config, device = Config(), torch.device("cpu")
    def __init__(self):
        super().__init__()
        self.bias = torch.nn.Parameter(torch.zeros(4))
    @classmethod
    def from_pretrained(cls, name, **more): return cls().eval()
    def forward(self, input_ids=None, attention_mask=None, **more):
        if input_ids.shape[1] > 12: raise IndexError("index out of range in self")
        mask = torch.ones_like(input_ids) if attention_mask is None else attention_mask
        scores = torch.zeros(len(input_ids), 4)
        for kind, (low, high) in enumerate([(1, 3), (4, 6), (7, 9)]):
            scores[:, kind] = ((input_ids >= low) & (input_ids <= high) & (mask == 1)).sum(1)
        scores[:, 3] = 0.5 + ((input_ids == 0) & (mask == 1)).sum(1)
        if self.training: scores = scores + 9 * torch.eye(4)[1]
        return self.head(scores, input_ids)

class AutoModel(_Model):
    def head(self, scores, ids): return BaseModelOutput(last_hidden_state=torch.zeros(*ids.shape, 8), pooler_output=torch.zeros(len(ids), 8))

class AutoModelForSequenceClassification(_Model):
    def head(self, scores, ids): return SequenceClassifierOutput(logits=scores)

class AutoModelForTokenClassification(_Model):
    def head(self, scores, ids): return SequenceClassifierOutput(logits=torch.zeros(*ids.shape, 4))

class AutoModelForCausalLM(_Model):
    def head(self, scores, ids): return SequenceClassifierOutput(logits=torch.zeros(*ids.shape, 13))
""")


test_case, answer = make_python_test(
    [
        ("list(route(['my invoice']))", "['billing']"),
        (
            "list(route(['crash', 'the parcel is late', 'is my refund paid', 'hello my parcel']))",
            "['bug', 'shipping', 'billing', 'shipping']",
        ),
        ("list(route(['error', 'the the the the the the']))", "['bug', 'other']"),
        ("list(route(['lost ' + 'the ' * 40, 'login']))", "['shipping', 'bug']"),
        ("list(route(['hello'] * 3, checkpoint='other'))", "['other'] * 3"),
    ]
)

TestWhatIsAutoModel = (
    Setup(make_library)
    >> question
    >> LLMRun()
    >> ExtractCode(lang="python")
    >> PythonRun(test_case)
    >> SubstringEvaluator(answer)
)

if __name__ == "__main__":
    print(run_test(TestWhatIsAutoModel))
