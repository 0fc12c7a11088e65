def nothing(messages):
    return ""


FIXED = """```python
import jax
import jax.numpy as jnp


def init(key, sizes):
    params = []
    keys = jax.random.split(key, len(sizes) - 1)
    for k, n_in, n_out in zip(keys, sizes, sizes[1:]):
        w = jax.random.normal(k, (n_in, n_out)) * jnp.sqrt(2 / n_in)
        params.append((w, jnp.zeros(n_out)))
    return params


def forward(params, x):
    for w, b in params[:-1]:
        x = jax.nn.relu(x @ w + b)
    w, b = params[-1]
    return x @ w + b


def loss(params, x, labels):
    logp = jax.nn.log_softmax(forward(params, x), axis=-1)
    return -logp[jnp.arange(len(labels)), labels].mean()


@jax.jit
def update(params, x, labels, rate):
    grads = jax.grad(loss)(params, x, labels)
    return [(w - rate * dw, b - rate * db) for (w, b), (dw, db) in zip(params, grads)]


def accuracy(params, x, labels):
    return (forward(params, x).argmax(axis=-1) == labels).mean()
```"""

RIGHT = {
    "TestJnpNnBugfix": [
        "Six bugs: one key for all layers, the wrong side in He's formula, relu on the logits, softmax over the batch, "
        f"`logp[:, labels]` takes all pairs, and `update` only binds local names anew.\n\n{FIXED}",
        """```python
import jax
import jax.numpy as jnp

def init(key, sizes):
    params = []
    for n_in, n_out in zip(sizes[:-1], sizes[1:]):
        key, sub = jax.random.split(key)
        params.append((jax.nn.initializers.normal((2.0 / n_in) ** 0.5)(sub, (n_in, n_out)), jnp.zeros((n_out,))))
    return params

def forward(params, x):
    last = len(params) - 1
    for i, (w, b) in enumerate(params):
        x = jnp.dot(x, w) + b
        if i != last:
            x = jnp.maximum(x, 0.0)
    return x

def loss(params, x, labels):
    logits = forward(params, x)
    picked = jnp.take_along_axis(logits, jnp.asarray(labels)[:, None], axis=1)[:, 0]
    return jnp.mean(jax.nn.logsumexp(logits, axis=1) - picked)

@jax.jit
def update(params, x, labels, rate):
    grads = jax.grad(loss)(params, x, labels)
    return jax.tree_util.tree_map(lambda p, g: p - rate * g, params, grads)

def accuracy(params, x, labels):
    return jnp.mean(jnp.argmax(forward(params, x), axis=1) == labels)
```""",
    ]
}

WRONG = {
    "TestJnpNnBugfix": [
        nothing,
        FIXED.replace("axis=-1)\n    return -logp", "axis=0)\n    return -logp"),
        FIXED.replace("zip(keys, sizes, sizes[1:])", "zip([key] * len(keys), sizes, sizes[1:])"),
        FIXED.replace("2 / n_in", "2 / n_out"),
        FIXED.replace("logp[jnp.arange(len(labels)), labels]", "logp[:, labels]"),
        FIXED.replace("    return x @ w + b\n", "    return jax.nn.relu(x @ w + b)\n"),
        FIXED.replace("w - rate * dw, b - rate * db", "w + rate * dw, b + rate * db"),
        FIXED.replace("jax.nn.log_softmax(forward(params, x), axis=-1)", "jnp.log(jnp.exp(forward(params, x)) / jnp.exp(forward(params, x)).sum(-1, keepdims=True))"),
    ]
}  # fmt: skip
