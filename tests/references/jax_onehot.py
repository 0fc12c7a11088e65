def nothing(messages):
    return ""


RIGHT = {
    "TestJaxOneHot": [
        """Compare with all class numbers; a label that is none of them gives zeros by itself.

```python
import jax.numpy as jnp


def onehot(labels, k):
    "The same as jax.nn.one_hot(labels, k)."
    return (jnp.asarray(labels)[..., None] == jnp.arange(k)).astype(jnp.float32)
```""",
        """```python
import jax.numpy as jnp

def onehot(labels, k):
    labels = jnp.asarray(labels)
    inside = (labels >= 0) & (labels < k)
    # jax clamps indices, so rows out of range must be blanked by hand
    rows = jnp.eye(k, dtype=jnp.float32)[jnp.clip(labels, 0, k - 1)]
    return jnp.where(inside[..., jnp.newaxis], rows, 0.0)
```""",
    ]
}

WRONG = {
    "TestJaxOneHot": [
        nothing,
        # negative labels count from the end, large ones are clamped
        "```python\nimport jax.numpy as jnp\n\ndef onehot(labels, k):\n    return jnp.eye(k)[labels]\n```",
        "```python\nimport jax\n\ndef onehot(labels, k):\n    return jax.nn.one_hot(labels, k)\n```",
        "```python\nfrom jax.nn import one_hot as onehot\n```",
        # numpy's way of writing does not work on jax arrays
        """```python
import jax.numpy as jnp

def onehot(labels, k):
    out = jnp.zeros(labels.shape + (k,))
    out[..., labels] = 1
    return out
```""",
        # only for flat lists of labels
        "```python\nimport jax.numpy as jnp\n\ndef onehot(labels, k):\n"
        "    return (labels[:, None] == jnp.arange(k)[None, :]).astype(jnp.float32)\n```",
    ]
}
