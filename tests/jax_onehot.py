from evaluator import *

DESCRIPTION = "Can the model write a one-hot in jax that survives jit, any shape and labels out of range?"
TAGS = ["code", "python", "jax"]
REQUIRES = ["python:jax"]
DETERMINISTIC = True

question = """
our old jax on the cluster has no jax.nn.one_hot, write me a drop-in in jax.numpy please. onehot(labels, k): labels is
an int array of any shape (also a 0-d one), k a normal python int, result has one more axis of length k at the end,
float32. labels below 0 or >= k should give a row of only zeros. It has to work inside jit, with k static. Leave the
name onehot, just the function, no loops over elements.
"""

header = """
import jax, jax.numpy as jnp
import numpy as np

jitted = jax.jit(onehot, static_argnums=1)

def rows(labels, k):
    plain, compiled = onehot(jnp.array(labels), k), jitted(jnp.array(labels), k)
    assert plain.shape == compiled.shape and (plain == compiled).all()
    return np.asarray(plain).astype(int).tolist()
"""

test_case, answer = make_python_test(
    [
        ("rows([0, 2, 1], 3)", "[[1, 0, 0], [0, 0, 1], [0, 1, 0]]"),
        ("rows([1, 1], 4)", "[[0, 1, 0, 0], [0, 1, 0, 0]]"),
        ("rows([-1, 3, 2], 3)", "[[0, 0, 0], [0, 0, 0], [0, 0, 1]]"),
        ("rows([100, -3], 2)", "[[0, 0], [0, 0]]"),
        ("rows(1, 2)", "[0, 1]"),
        ("rows([[0, 1], [1, 5]], 2)", "[[[1, 0], [0, 1]], [[0, 1], [0, 0]]]"),
        ("rows([0], 1)", "[[1]]"),
        ("jitted(jnp.zeros((2, 0, 3), int), 5).shape", "(2, 0, 3, 5)"),
        ("str(onehot(jnp.array([0, 1]), 2).dtype)", "'float32'"),
    ],
    header=header,
)


def on_the_cluster(code):
    """The program on a jax that has no one_hot."""
    return "import jax.nn\ndel jax.nn.one_hot\n\n" + code


TestJaxOneHot = (
    question
    >> LLMRun()
    >> ExtractCode(lang="python")
    >> PyFunc(on_the_cluster)
    >> PythonRun(test_case, time_limit_s=60)
    >> SubstringEvaluator(answer)
)

if __name__ == "__main__":
    print(run_test(TestJaxOneHot))
