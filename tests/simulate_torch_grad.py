from evaluator import *

DESCRIPTION = "Can the model work out by head what autograd leaves in .grad: detach, clamp, accumulation?"
TAGS = ["python", "torch", "reasoning"]

question = """
What do x.grad and w.grad hold at the end? I can't run it here, please work it out by hand.

import torch

x = torch.tensor([1.0, -2.0, 3.0], requires_grad=True)
w = torch.tensor([2.0, 1.0, -1.0], requires_grad=True)

y = x * w
s = (torch.relu(y) * x.detach()).sum() + (y[1:] ** 2).sum()
s.backward()

with torch.no_grad():
    w += 1

t = (x * w).clamp(max=2.5).sum() + 10 * x.max()
t.backward()

End your answer with JSON: {"x": [..., ..., ...], "w": [..., ..., ...]}
"""

grads = {"x": [2, -2, 16], "w": [1, 6, -15]}


def last_object(reply):
    """The last JSON object of the reply: what it ends with, whatever it tried out before."""
    found = re.findall(r"\{[^{}]*\}", reply)
    return json.loads(found[-1]), f"{len(found)} objects"


TestSimulateTorchGrad = question >> LLMRun() >> PyFunc(last_object) >> EqualEvaluator(grads)

if __name__ == "__main__":
    print(run_test(TestSimulateTorchGrad))
