def nothing(messages):
    return ""


WORKERS = """```javascript
async function runLimited(jobs, limit) {
  if (!Number.isInteger(limit) || limit < 1) {
    throw new RangeError(`limit must be a whole number >= 1, not ${limit}`);
  }
  const results = new Array(jobs.length);
  let next = 0;
  let failed = false;
  let failure;

  async function worker() {
    while (!failed && next < jobs.length) {
      const index = next++;
      try {
        results[index] = await jobs[index]();
      } catch (error) {
        if (!failed) {
          failed = true;
          failure = error;
        }
      }
    }
  }

  await Promise.all(Array.from({ length: Math.min(limit, jobs.length) }, worker));
  if (failed) throw failure;
  return results;
}
```"""

RIGHT = {
    "TestJavaScriptRunLimited": [
        f"A few workers take jobs from a common list:\n\n{WORKERS}",
        """```js
function runLimited(jobs, limit) {
  return new Promise((resolve, reject) => {
    if (!(Number.isInteger(limit) && limit > 0)) {
      reject(new RangeError("limit"));
      return;
    }
    const results = [], errors = [];
    let started = 0, running = 0;
    const more = () => {
      while (running < limit && started < jobs.length && errors.length === 0) {
        const i = started++;
        running++;
        new Promise((done) => done(jobs[i]()))
          .then((value) => { results[i] = value; }, (error) => { errors.push(error); })
          .then(() => { running--; more(); });
      }
      if (running > 0) return;
      if (errors.length > 0) reject(errors[0]);
      else resolve(results);
    };
    more();
  });
}

module.exports = { runLimited };
```
(With Infinity it rejects as well, since that is not a whole number.)""",
    ]
}

WRONG = {
    "TestJavaScriptRunLimited": [
        nothing,
        # all at once
        "```js\nasync function runLimited(jobs, limit) {\n  // runs at most `limit` at a time\n"
        "  return Promise.all(jobs.map((job) => job()));\n}\n```",
        # in slices: waits for the slowest of each
        """```js
async function runLimited(jobs, limit) {
  if (!Number.isInteger(limit) || limit < 1) throw new RangeError("limit");
  const results = [];
  for (let i = 0; i < jobs.length; i += limit) {
    results.push(...(await Promise.all(jobs.slice(i, i + limit).map((job) => job()))));
  }
  return results;
}
```""",
        # in the order in which they end
        WORKERS.replace(
            "results[index] = await jobs[index]();", "results.push(await jobs[index]());"
        ).replace("new Array(jobs.length)", "[]"),
        # does not wait for the ones that run
        WORKERS.replace(
            "        if (!failed) {\n          failed = true;\n          failure = error;\n        }",
            "        throw error;",
        ),
        # an error that is undefined is overlooked
        WORKERS.replace("if (failed) throw failure;", "if (failure) throw failure;"),
    ]
}
