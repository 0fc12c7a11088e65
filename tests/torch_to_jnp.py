from evaluator import *

DESCRIPTION = "Can the model port a torch module to jax exactly: layouts, defaults and all?"
TAGS = ["code", "python", "jax", "torch"]
REQUIRES = ["python:jax", "python:scipy"]
DETERMINISTIC = True

question = """
we're moving to jax (plain jax, no flax) and I need this module as a function forward(params, x, lengths). params is a
dict with the arrays of the state_dict under their torch names ("norm.weight", "conv.weight", "conv.bias", ...), not
transposed or anything. Same numbers as in torch to about 1e-4, and it has to work in jax.jit.

class Gate(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.norm = nn.LayerNorm(d)
        self.conv = nn.Conv1d(d, 2 * d, kernel_size=3, padding=1)
        self.out = nn.Linear(d, d, bias=False)
        self.act = nn.GELU()

    def forward(self, x, lengths):
        # x: (batch, time, d), lengths: (batch,), how many steps of each are real
        h = self.norm(x)
        h = self.conv(h.transpose(1, 2)).transpose(1, 2)
        a, b = h.chunk(2, dim=-1)
        h = self.act(a) * torch.sigmoid(b)
        real = torch.arange(x.shape[1], device=x.device)[None, :] < lengths[:, None]
        h = h.masked_fill(~real[..., None], 0.0)
        scale = x.std(dim=-1, keepdim=True)
        return x + self.out(h) / (scale + 0.1)
"""

header = """
import numpy as np
import jax, jax.numpy as jnp
import scipy.special

def case(seed, batch, time, d):
    rng = np.random.default_rng(seed)
    params = {
        "norm.weight": 1 + 0.3 * rng.standard_normal(d),
        "norm.bias": 0.3 * rng.standard_normal(d),
        "conv.weight": rng.standard_normal((2 * d, d, 3)) / np.sqrt(d),
        "conv.bias": rng.standard_normal(2 * d),
        "out.weight": rng.standard_normal((d, d)) / np.sqrt(d),
    }
    x = rng.standard_normal((batch, time, d)) + rng.standard_normal((batch, 1, 1))
    x[0, 0] *= 0.004  # little variance, where eps shows
    lengths = rng.integers(0, time + 1, batch)
    return {name: array.astype(np.float32) for name, array in params.items()}, x.astype(np.float32), lengths

def right(params, x, lengths):
    p = {name: array.astype(float) for name, array in params.items()}
    x = x.astype(float)
    h = (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-5)
    h = h * p["norm.weight"] + p["norm.bias"]
    padded = np.pad(h, ((0, 0), (1, 1), (0, 0)))
    h = p["conv.bias"] + sum(padded[:, k:k + x.shape[1]] @ p["conv.weight"][:, :, k].T for k in range(3))
    a, b = np.split(h, 2, axis=-1)
    h = a * 0.5 * (1 + scipy.special.erf(a / np.sqrt(2))) / (1 + np.exp(-b))
    h = h * (np.arange(x.shape[1])[None, :] < lengths[:, None])[..., None]
    return x + h @ p["out.weight"].T / (x.std(-1, keepdims=True, ddof=1) + 0.1)

def off(*sizes):
    params, x, lengths = case(*sizes)
    arrays = {name: jnp.asarray(array) for name, array in params.items()}
    got = jax.jit(forward)(arrays, jnp.asarray(x), jnp.asarray(lengths))
    wanted = right(params, x, lengths)
    assert got.shape == wanted.shape, got.shape
    return float(np.abs(np.asarray(got) - wanted).max())
"""

test_case, answer = make_python_test(
    [("off(1, 3, 6, 5) < 3e-4", True), ("off(2, 2, 1, 4) < 3e-4", True)],
    header=header,
)

libraries = r"(flax|torch|haiku|equinox)\b"
uses_others = RegexEvaluator(rf"(?m)^\s*(import\s.*\b{libraries}|from\s+{libraries}\S*\s+import)")

TestTorchToJnp = (
    question
    >> LLMRun()
    >> ExtractCode(lang="python")
    >> (~uses_others & (PythonRun(test_case, time_limit_s=120) >> SubstringEvaluator(answer)))
)

if __name__ == "__main__":
    print(run_test(TestTorchToJnp))
