def nothing(messages):
    return ""


FIXED = """```python
import torch


class ScaledSoftsign(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, s):
        ctx.save_for_backward(x, s)
        return s * x / (1 + x.abs())

    @staticmethod
    def backward(ctx, grad_output):
        x, s = ctx.saved_tensors
        below = 1 + x.abs()
        grad_x = grad_output * s / below**2
        grad_s = (grad_output * x / below).sum().reshape(s.shape)
        return grad_x, grad_s
```"""

YES = "It names the carried hidden state and detaches it.\n\nVERDICT: YES"
NO = "This does not name the cause, or offers no right cure.\n\nVERDICT: NO"

RIGHT = {
    "TestFixTorchBackward": [
        "The derivative of x / (1 + |x|) is 1 / (1 + |x|)^2; and the gradient of s must be multiplied by "
        f"`grad_output` and summed to the shape of s.\n\n{FIXED}",
        """```python
import torch


class ScaledSoftsign(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, s):
        soft = x / (1 + x.abs())
        ctx.save_for_backward(soft, s)
        return s * soft

    @staticmethod
    def backward(ctx, g):
        soft, s = ctx.saved_tensors
        grad_x = grad_s = None
        if ctx.needs_input_grad[0]:
            grad_x = g * s * (1 - soft.abs()) ** 2
        if ctx.needs_input_grad[1]:
            grad_s = (g * soft).sum().view_as(s)
        return grad_x, grad_s
```""",
    ],
    "TestFixTorchBackwardExplain": [
        [
            "`hidden` of the first round is still part of the graph of the second: the new loss depends on it, so "
            "backward walks into the first round's graph, whose buffers are freed. Put `hidden = hidden.detach()` "
            "before you use it.",
            YES,
        ],
        [
            "You carry the recurrent state across batches, with its history. Zeroing gradients does not cut that. "
            "End each round with `hidden.detach_()` (truncated backpropagation).",
            "The reason is right, so is the cure.\nVERDICT: **YES**",
        ],
    ],
}

WRONG = {
    "TestFixTorchBackward": [
        nothing,
        FIXED.replace("below**2", "below"),  # the derivative as it was
        FIXED.replace(".sum()", ".mean()"),
        FIXED.replace(".sum().reshape(s.shape)", ".sum()"),  # fits shape () only
        FIXED.replace("grad_output * x / below", "x / below"),  # the chain rule forgotten
        FIXED.replace("grad_output * s / below**2", "grad_output * s / (1 + x) ** 2  # 1 / (1 + |x|)^2"),
    ],
    "TestFixTorchBackwardExplain": [
        [nothing(()), NO],
        [
            "Call loss.backward(retain_graph=True), then the graph is kept and you can go through it again.",
            NO,
        ],
        ["You have to detach y, because the labels must not have a gradient. Then zero_grad works.", NO],
        ["Move optimizer.zero_grad() behind optimizer.step(); your data is fine.", NO],
    ],
}
