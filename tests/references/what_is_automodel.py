def nothing(messages):
    return ""


ROUTE = """```python
import torch
from transformers import AutoModelForSequenceClassification, AutoTokenizer


def route(texts, checkpoint="our-org/ticket-router"):
    tokenizer = AutoTokenizer.from_pretrained(checkpoint)
    model = AutoModelForSequenceClassification.from_pretrained(checkpoint)
    model.eval()
    inputs = tokenizer(texts, padding=True, truncation=True, return_tensors="pt")
    with torch.no_grad():
        outputs = model(**inputs)
    return [model.config.id2label[i] for i in outputs.logits.argmax(dim=-1).tolist()]
```"""

RIGHT = {
    "TestWhatIsAutoModel": [
        "`AutoModel` is the body without a head: it gives hidden states. The `AutoModelFor...` classes add one.\n\n"
        + ROUTE,
        """```python
import torch
from transformers import AutoModelForSequenceClassification, AutoTokenizer

@torch.inference_mode()
def route(texts, checkpoint="our-org/ticket-router"):
    tok = AutoTokenizer.from_pretrained(checkpoint)
    model = AutoModelForSequenceClassification.from_pretrained(checkpoint)
    device = next(model.parameters()).device
    enc = tok(list(texts), padding="longest", truncation=True, max_length=tok.model_max_length, return_tensors="pt").to(device)
    logits = model(input_ids=enc["input_ids"], attention_mask=enc["attention_mask"]).logits
    best = torch.softmax(logits, dim=1).max(dim=1).indices
    return [model.config.id2label[int(i)] for i in best]

if __name__ == "__main__":
    print(route(["my invoice is wrong"]))
```""",
    ]
}

WRONG = {
    "TestWhatIsAutoModel": [
        nothing,
        ROUTE.replace("AutoModelForSequenceClassification", "AutoModel"),
        ROUTE.replace("ForSequenceClassification", "ForCausalLM").replace(".argmax", "[:, -1].argmax"),
        ROUTE.replace("argmax(dim=-1).tolist()", "argmax().reshape(1).tolist()"),  # one for all
        ROUTE.replace("model(**inputs)", 'model(inputs["input_ids"])'),  # the padding counts
        ROUTE.replace("padding=True, ", ""),
        ROUTE.replace("truncation=True, ", ""),
        ROUTE.replace("model.config.id2label[i] for i in ", "i for i in "),
        "```python\n# AutoModelForSequenceClassification has logits, AutoModel has not\ndef route(texts, checkpoint=''):\n"
        "    return ['billing'] * len(texts)\n```",
    ]
}
