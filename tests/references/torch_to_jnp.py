def nothing(messages):
    return ""


PORT = """```python
import jax
import jax.numpy as jnp


def forward(params, x, lengths):
    mean = x.mean(axis=-1, keepdims=True)
    var = x.var(axis=-1, keepdims=True)
    h = (x - mean) / jnp.sqrt(var + 1e-5) * params["norm.weight"] + params["norm.bias"]
    h = jax.lax.conv_general_dilated(
        h.transpose(0, 2, 1), params["conv.weight"], (1,), [(1, 1)], dimension_numbers=("NCH", "OIH", "NCH")
    ) + params["conv.bias"][None, :, None]
    a, b = jnp.split(h.transpose(0, 2, 1), 2, axis=-1)
    h = jax.nn.gelu(a, approximate=False) * jax.nn.sigmoid(b)
    real = jnp.arange(x.shape[1])[None, :] < lengths[:, None]
    h = jnp.where(real[..., None], h, 0.0)
    scale = x.std(axis=-1, keepdims=True, ddof=1)
    return x + h @ params["out.weight"].T / (scale + 0.1)
```"""

RIGHT = {
    "TestTorchToJnp": [
        "Mind that `jax.nn.gelu` is the tanh approximation unless told otherwise, and that `std` in torch divides by "
        f"n - 1.\n\n{PORT}",
        """```python
import jax.numpy as jnp
from jax.scipy.special import erf
from jax.nn import sigmoid

def layer_norm(x, w, b, eps=1e-5):
    centred = x - jnp.mean(x, -1, keepdims=True)
    return w * centred / jnp.sqrt(jnp.mean(centred ** 2, -1, keepdims=True) + eps) + b

def conv3(x, w, b):
    x = jnp.pad(x, [(0, 0), (1, 1), (0, 0)])
    taps = jnp.stack([x[:, :-2], x[:, 1:-1], x[:, 2:]], axis=-1)  # (batch, time, in, 3)
    return jnp.einsum("btik,oik->bto", taps, w) + b

def forward(params, x, lengths):
    '''The module with the arrays that come
    from torch, as they are.'''
    d = x.shape[-1]
    h = conv3(layer_norm(x, params["norm.weight"], params["norm.bias"]), params["conv.weight"], params["conv.bias"])
    a, b = h[..., :d], h[..., d:]
    h = 0.5 * a * (1 + erf(a / jnp.sqrt(2.0))) * sigmoid(b)
    steps = jnp.arange(x.shape[1])
    h = h * (steps < lengths[:, None])[:, :, None]
    centred = x - x.mean(-1, keepdims=True)
    scale = jnp.sqrt((centred ** 2).sum(-1, keepdims=True) / (d - 1))
    return x + jnp.einsum("bti,oi->bto", h, params["out.weight"]) / (scale + 0.1)
```""",
    ]
}

WRONG = {
    "TestTorchToJnp": [
        nothing,
        PORT.replace(", approximate=False", ""),
        PORT.replace(", ddof=1", ""),
        PORT.replace('params["out.weight"].T', 'params["out.weight"]'),
        PORT.replace("1e-5", "1e-6"),
        PORT.replace("jnp.split(h.transpose(0, 2, 1), 2, axis=-1)", "jnp.split(h.transpose(0, 2, 1), 2, axis=-1)[::-1]"),
        PORT.replace("real = ", "real = True | ").replace("jnp.where(real", "jnp.where(jnp.asarray(real)"),
        # not for jit: a python loop over the values of lengths
        PORT.replace("    h = jnp.where(real[..., None], h, 0.0)\n",
                     "    h = jnp.stack([row.at[int(n):].set(0.0) for row, n in zip(h, lengths)])\n"),
        "```python\nimport torch\n\ndef forward(params, x, lengths):\n    gate = Gate(x.shape[-1])\n"
        "    gate.load_state_dict(params)\n    return gate(x, lengths)\n```",
    ]
}  # fmt: skip
