GRADS = '{"x": [2, -2, 16], "w": [1, 6, -15]}'

RIGHT = {
    "TestSimulateTorchGrad": [
        GRADS,
        """First backward: y = [2, -2, -3]. Only y[0] passes the relu, with the factor 1 of x.detach().

- dx = [2, 0, 0] + 2 * y * w on the last two = [2, -4, 6]
- dw = [1, 0, 0] + 2 * y * x = [1, 8, -18]

Then w = [3, 2, 0]; x * w = [3, -4, 0], the first is clamped: dx = [0, 2, 0] + [0, 0, 10], dw = [0, -2, 3]. These are
added, since nobody set the gradients to zero.

```json
{
  "x": [2.0, -2.0, 16.0],
  "w": [1.0, 6.0, -15.0]
}
```""",
    ]
}

WRONG = {
    "TestSimulateTorchGrad": [
        "",
        '{"x": [0, 2, 10], "w": [0, -2, 3]}',  # the second backward alone
        '{"x": [2, -4, 6], "w": [1, 8, -18]}',  # the first alone
        '{"x": [4, -2, 16], "w": [1, 6, -15]}',  # as if there were no detach
        '{"x": [5, -2, 16], "w": [2, 6, -15]}',  # as if there were no clamp
        '{"x": [2, -2, 6], "w": [1, 6, -15]}',
        "First guess: " + GRADS + "\n\nOn second thought: " + '{"x": [2, -4, 16], "w": [1, 8, -15]}',
        "x.grad is [2, -2, 16] and w.grad is [1, 6, -15], because gradients are always set to zero by backward().",
    ]
}
