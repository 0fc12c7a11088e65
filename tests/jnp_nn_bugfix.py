from evaluator import *

DESCRIPTION = "Can the model find every bug of a small network in jax that runs but does not learn?"
TAGS = ["code", "python", "jax", "debug"]
REQUIRES = ["python:jax"]
DETERMINISTIC = True

question = """
My first network in jax runs without errors but learns nothing. I believe there are several bugs. Please fix all of
them and post the whole file, keep the functions with their names and arguments. What it should be: a classifier with
He initialisation (normal, variance 2 / inputs of the layer, every layer its own random numbers) and biases of zero,
relu between the layers but not behind the last, the loss is the mean cross entropy of the batch, update does one step
of plain gradient descent and returns the new parameters, accuracy is the share of right ones.

import jax
import jax.numpy as jnp

def init(key, sizes):
    params = []
    for n_in, n_out in zip(sizes, sizes[1:]):
        w = jax.random.normal(key, (n_in, n_out)) * jnp.sqrt(2 / n_out)
        params.append((w, jnp.zeros(n_out)))
    return params

def forward(params, x):
    for w, b in params:
        x = jax.nn.relu(x @ w + b)
    return x

def loss(params, x, labels):
    logp = jax.nn.log_softmax(forward(params, x), axis=0)
    return -logp[:, labels].mean()

@jax.jit
def update(params, x, labels, rate):
    grads = jax.grad(loss)(params, x, labels)
    for (w, b), (dw, db) in zip(params, grads):
        w = w - rate * dw
        b = b - rate * db
    return params

def accuracy(params, x, labels):
    return (forward(params, x).argmax(axis=-1) == labels).mean()
"""

header = """
import numpy as np
import jax, jax.numpy as jnp

def net(seed, *sizes):
    rng = np.random.default_rng(seed)
    return [(rng.standard_normal((a, b)).astype(np.float32), rng.standard_normal(b).astype(np.float32))
            for a, b in zip(sizes, sizes[1:])]

def right_forward(params, x):
    for number, (w, b) in enumerate(params):
        x = x @ w + b
        if number < len(params) - 1:
            x = np.maximum(x, 0)
    return x

def right_loss(params, x, labels):
    logits = right_forward(params, x).astype(float)
    logits = logits - logits.max(axis=1, keepdims=True)
    logp = logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))
    return -np.mean([row[label] for row, label in zip(logp, labels)])

X = np.random.default_rng(1).standard_normal((7, 4)).astype(np.float32)
LABELS = np.array([0, 2, 1, 1, 0, 2, 2])
PARAMS = net(2, 4, 5, 3)

def near(a, b):
    return bool(np.allclose(np.asarray(a), b, rtol=1e-4, atol=1e-4))

def stepped():
    params = [[np.asarray(p) for p in pair] for pair in update(PARAMS, X, LABELS, 0.01)]
    off, h = [], 1e-2
    for layer in range(2):
        for part in range(2):
            array = PARAMS[layer][part]
            for at in np.ndindex(*array.shape):
                sides = []
                for sign in (1, -1):
                    moved = [[p.copy() for p in pair] for pair in PARAMS]
                    moved[layer][part][at] += sign * h
                    sides.append(right_loss(moved, X, LABELS))
                slope = (sides[0] - sides[1]) / (2 * h)
                off.append(abs(float(params[layer][part][at]) - (array[at] - 0.01 * slope)))
    return [tuple(np.shape(p) for p in pair) for pair in params], max(off) < 5e-4

def initialised():
    params = [[np.asarray(p) for p in pair] for pair in init(jax.random.PRNGKey(5), [200, 50, 50, 50])]
    shapes = [tuple(np.shape(p) for p in pair) for pair in params]
    spreads = [bool(abs(float(np.std(w)) / np.sqrt(2 / w.shape[0]) - 1) < 0.1) for w, b in params]
    alike = bool(np.corrcoef(np.ravel(params[1][0]), np.ravel(params[2][0]))[0, 1] > 0.2)
    zeros = all(float(np.abs(b).max()) == 0 for w, b in params)
    again = init(jax.random.PRNGKey(5), [200, 50, 50, 50])
    return shapes[0], shapes[-1], all(spreads), alike, zeros, near(again[2][0], params[2][0])

"""

test_case, answer = make_python_test(
    [
        ("near(forward(PARAMS, X), right_forward(PARAMS, X))", True),
        ("near(forward(PARAMS[:1], X), right_forward(PARAMS[:1], X))", True),
        ("near(loss(PARAMS, X, LABELS), right_loss(PARAMS, X, LABELS))", True),
        ("near(loss(PARAMS, 60 * X, LABELS), right_loss(PARAMS, 60 * X, LABELS))", True),
        ("stepped()", "([((4, 5), (5,)), ((5, 3), (3,))], True)"),
        ("initialised()", "(((200, 50), (50,)), ((50, 50), (50,)), True, False, True, True)"),
        ("near(accuracy(PARAMS, X, right_forward(PARAMS, X).argmax(axis=1)), 1)", True),
    ],
    header=header,
)

TestJnpNnBugfix = (
    question
    >> LLMRun()
    >> ExtractCode(lang="python")
    >> PythonRun(test_case, time_limit_s=120)
    >> SubstringEvaluator(answer)
)

if __name__ == "__main__":
    print(run_test(TestJnpNnBugfix))
