def nothing(messages):
    return ""


DEBOUNCE = """```javascript
function debounce(fn, wait, { leading = false, trailing = true, maxWait } = {}) {
  let timer, maxTimer, waiting, inBurst = false, result;

  function run() {
    const [self, args] = waiting;
    waiting = undefined;
    clearTimeout(maxTimer);
    maxTimer = undefined;
    return (result = fn.apply(self, args));
  }

  function quiet() {
    timer = undefined;
    inBurst = false;
    if (waiting) run();
  }

  function debounced(...args) {
    const first = !inBurst;
    inBurst = true;
    clearTimeout(timer);
    timer = setTimeout(quiet, wait);
    if (first && leading) {
      waiting = [this, args];
      return run();
    }
    if (trailing) {
      waiting = [this, args];
      if (maxWait !== undefined && maxTimer === undefined) maxTimer = setTimeout(run, maxWait);
    }
    return result;
  }

  debounced.cancel = () => {
    clearTimeout(timer);
    clearTimeout(maxTimer);
    timer = maxTimer = waiting = undefined;
    inBurst = false;
  };
  debounced.flush = () => {
    if (!waiting) return result;
    clearTimeout(timer);
    timer = undefined;
    inBurst = false;
    return run();
  };
  debounced.pending = () => waiting !== undefined;
  return debounced;
}
```"""

RIGHT = {
    "TestJavascriptDebounce": [
        "Two timers, one that every call sets anew and one for `maxWait`:\n\n" + DEBOUNCE,
        # one timer and the clock
        """```js
const debounce = (fn, wait, options = {}) => {
  const { leading = false, trailing = true, maxWait = Infinity } = options;
  let timer = null, lastCall = -Infinity, firstWaiting = null, last = null, result;

  const invoke = () => {
    const call = last;
    last = null;
    firstWaiting = null;
    result = fn.apply(call.that, call.args);
    return result;
  };
  const due = () => Math.min(lastCall + wait, last ? firstWaiting + maxWait : Infinity);
  const check = () => {
    timer = null;
    const now = Date.now();
    const over = now >= lastCall + wait;
    const run = last && now >= due();
    if (!over) arm(run);
    if (run) invoke();
  };
  const arm = (afterRun = false) => {
    if (timer !== null) clearTimeout(timer);
    const at = afterRun ? lastCall + wait : due();
    timer = setTimeout(check, at - Date.now());
  };

  function debounced(...args) {
    const now = Date.now();
    const begins = timer === null;
    lastCall = now;
    if (begins && leading) {
      last = { that: this, args };
      arm(true);
      return invoke();
    }
    if (trailing) {
      if (!last) firstWaiting = now;
      last = { that: this, args };
    }
    arm();
    return result;
  }
  debounced.cancel = () => { clearTimeout(timer); timer = last = firstWaiting = null; };
  debounced.flush = () => {
    if (!last) return result;
    clearTimeout(timer);
    timer = null;
    return invoke();
  };
  debounced.pending = () => last !== null;
  return debounced;
};
module.exports = debounce;
```""",
    ]
}

WRONG = {
    "TestJavascriptDebounce": [
        nothing,
        DEBOUNCE.replace(
            "clearTimeout(timer);\n    timer = setTimeout(quiet", "timer = setTimeout(quiet"
        ),  # only delays
        DEBOUNCE.replace("function debounced(...args)", "const debounced = (...args) =>").replace(
            "    return result;\n  }\n\n  debounced.cancel", "    return result;\n  };\n\n  debounced.cancel"
        ),  # no this of its own
        DEBOUNCE.replace(
            "waiting = [this, args];\n      if (max", "waiting = waiting || [this, args];\n      if (max"
        ),
        DEBOUNCE.replace(
            "maxTimer === undefined) maxTimer", "true) clearTimeout(maxTimer), maxTimer"
        ),  # which never comes
        # leading runs twice for a single call
        DEBOUNCE.replace(
            "      return run();\n    }\n    if (trailing)", "      run();\n    }\n    if (trailing)"
        ),
        # the burst goes on after a cancel
        DEBOUNCE.replace("undefined;\n    inBurst = false;\n  };", "undefined;\n  };"),
        "```javascript\n// setTimeout, clearTimeout, leading, trailing, maxWait\nconst debounce = (fn) => fn;\n```",
    ]
}
