from evaluator import *

DESCRIPTION = "Can the model mend a wrong custom gradient in torch, and explain an error of backward()?"
TAGS = ["code", "python", "torch", "debug"]
REQUIRES = ["python:torch"]
DETERMINISTIC = True

question_fix = """
gradcheck says my function's gradient is wrong and training goes nowhere. forward is fine. what's wrong in backward?
Please post the corrected class.

import torch


class ScaledSoftsign(torch.autograd.Function):
    # y = s * x / (1 + |x|), s is a tensor with a single value, of shape () or (1,)

    @staticmethod
    def forward(ctx, x, s):
        ctx.save_for_backward(x, s)
        return s * x / (1 + x.abs())

    @staticmethod
    def backward(ctx, grad_output):
        x, s = ctx.saved_tensors
        grad_x = grad_output * s / (1 + x.abs())
        grad_s = x / (1 + x.abs())
        return grad_x, grad_s
"""

header = """
import torch

def agrees(x, s):
    x = torch.tensor(x, dtype=torch.float64, requires_grad=True)
    s = torch.tensor(s, dtype=torch.float64, requires_grad=True)
    ScaledSoftsign.apply(x, s).pow(2).sum().backward()
    mine = (x.grad.clone(), s.grad.clone())
    x.grad = s.grad = None
    (s * x / (1 + x.abs())).pow(2).sum().backward()
    return all(a.shape == b.shape and torch.allclose(a, b) for a, b in zip(mine, (x.grad, s.grad)))

def forward_kept():
    y = ScaledSoftsign.apply(torch.tensor([-1.0, 0.0, 3.0]), torch.tensor(2.0))
    return y.tolist()

def checked():
    x = torch.linspace(-2, 2, 6, dtype=torch.float64).requires_grad_()
    s = torch.tensor(1.5, dtype=torch.float64, requires_grad=True)
    return torch.autograd.gradcheck(ScaledSoftsign.apply, (x, s))
"""

test_case, answer = make_python_test(
    [
        ("forward_kept()", "[-1.0, 0.0, 1.5]"),
        ("agrees([0.5, -2.0, 3.0], 2.0)", "True"),
        ("agrees([[1.0, -1.0], [0.25, 4.0]], -0.5)", "True"),
        ("agrees([7.0], 1.0)", "True"),
        ("agrees([0.5, -2.0, 3.0], [1.25])", "True"),
        ("checked()", "True"),
    ],
    header=header,
)

question_explain = """
Why does the second round of this loop die with "Trying to backward through the graph a second time"? I do call
zero_grad, and a fresh loss is computed each time. Explain it in a few sentences and tell me what to change.

hidden = torch.zeros(1, 16)
for x, y in batches:
    optimizer.zero_grad()
    hidden = torch.tanh(cell(x) + recur(hidden))
    loss = ((readout(hidden) - y) ** 2).mean()
    loss.backward()
    optimizer.step()
"""

judge = """
A programmer asked why a training loop in PyTorch dies with "Trying to backward through the graph a second time". The
true reason: the variable `hidden` is carried from one round into the next, so that the second loss still hangs on the
graph of the first round, which backward() has freed. The right cure is to cut it off, such as hidden = hidden.detach()
(or detach_, or .data, or starting from a new hidden state in each round). An answer whose only cure is
retain_graph=True is wrong.

Does the following answer give this reason and a right cure?
"""

TestFixTorchBackward = (
    question_fix
    >> LLMRun()
    >> ExtractCode(lang="python")
    >> PythonRun(test_case, time_limit_s=60)
    >> SubstringEvaluator(answer)
)
TestFixTorchBackwardExplain = (
    question_explain >> LLMRun() >> (RegexEvaluator("detach|no_grad|data|zeros") & Judge(judge))
)

if __name__ == "__main__":
    print(run_test(TestFixTorchBackward))
    print(run_test(TestFixTorchBackwardExplain))
