def nothing(messages):
    return ""


LAZY = """```javascript
class Lazy {
  constructor(iterable) {
    this.iterable = iterable;
  }

  [Symbol.iterator]() {
    return this.iterable[Symbol.iterator]();
  }

  #stage(generator) {
    return new Lazy({ [Symbol.iterator]: () => generator(this.iterable) });
  }

  map(f) {
    return this.#stage(function* (items) {
      let index = 0;
      for (const item of items) yield f(item, index++);
    });
  }

  filter(f) {
    return this.#stage(function* (items) {
      let index = 0;
      for (const item of items) if (f(item, index++)) yield item;
    });
  }

  take(n) {
    return this.#stage(function* (items) {
      let left = n;
      if (left <= 0) return;
      for (const item of items) {
        yield item;
        if (--left <= 0) return;
      }
    });
  }

  flatMap(f) {
    return this.#stage(function* (items) {
      let index = 0;
      for (const item of items) yield* f(item, index++);
    });
  }

  zip(other) {
    return this.#stage(function* (items) {
      const second = other[Symbol.iterator]();
      let ended = false;
      try {
        for (const item of items) {
          const next = second.next();
          if (next.done) {
            ended = true;
            return;
          }
          yield [item, next.value];
        }
      } finally {
        if (!ended) second.return?.();
      }
    });
  }

  first() {
    for (const item of this) return item;
    return undefined;
  }
}
```"""

BY_HAND = """```js
class Lazy {
  constructor(iterable) { this[Symbol.iterator] = () => iterable[Symbol.iterator](); }

  // step gets a value and says what to do: { value }, { skip: true } or { value, last: true }
  _with(makeStep) {
    const open = () => {
      const inner = this[Symbol.iterator](), step = makeStep();
      let done = false;
      const close = () => { if (!done) { done = true; if (inner.return) inner.return(); } };
      return {
        [Symbol.iterator]() { return this; },
        next() {
          while (!done) {
            const got = inner.next();
            if (got.done) { done = true; break; }
            let what;
            try { what = step(got.value); } catch (error) { close(); throw error; }
            if (what.last) close();
            if (!what.skip) return { value: what.value, done: false };
          }
          return { value: undefined, done: true };
        },
        return(value) { close(); return { value, done: true }; },
      };
    };
    return new Lazy({ [Symbol.iterator]: open });
  }

  map(f) { return this._with(() => { let i = 0; return (x) => ({ value: f(x, i++) }); }); }
  filter(f) { return this._with(() => { let i = 0; return (x) => ({ value: x, skip: !f(x, i++) }); }); }
  take(n) {
    if (!(n > 0)) return new Lazy([]);
    return this._with(() => { let left = n; return (x) => ({ value: x, last: --left < 1 }); });
  }

  flatMap(f) {
    const self = this;
    return new Lazy({ *[Symbol.iterator]() { for (const x of self) for (const y of f(x)) yield y; } });
  }

  zip(other) {
    const self = this;
    return new Lazy({
      *[Symbol.iterator]() {
        const a = self[Symbol.iterator](), b = other[Symbol.iterator]();
        let openA = true, openB = true;
        try {
          while (true) {
            const x = a.next();
            if (x.done) { openA = false; return; }
            const y = b.next();
            if (y.done) { openB = false; return; }
            yield [x.value, y.value];
          }
        } finally {
          if (openA && a.return) a.return();
          if (openB && b.return) b.return();
        }
      },
    });
  }

  first() {
    const [value] = this.take(1);
    return value;
  }
}
```"""

RIGHT = {
    "TestJavascriptLazyIterator": [
        "A `for ... of` in a generator closes its source by itself; only `zip` has to do it by hand:\n\n"
        + LAZY,
        BY_HAND,
    ]
}

WRONG = {
    "TestJavascriptLazyIterator": [
        nothing,
        # asks for one more before it sees that it has enough
        LAZY.replace(
            "        yield item;\n        if (--left <= 0) return;",
            "        if (left-- <= 0) return;\n        yield item;",
        ),
        LAZY.replace("if (!ended) second.return?.();", "// second.return?.()"),
        LAZY.replace("?.()", "()").replace("if (!ended) ", ""),
        BY_HAND.replace("catch (error) { close(); throw error; }", "catch (error) { throw error; }"),
        BY_HAND.replace("return(value) { close();", "return(value) {"),
        # arrays inside
        """```javascript
class Lazy extends Array { // lazy: [Symbol.iterator], return()
  constructor(iterable) { super(); for (const x of iterable) { this.push(x); if (this.length > 2000) break; } }
  take(n) { return new Lazy(this.slice(0, n)); }
  zip(other) { const all = [...other]; return new Lazy(this.map((x, i) => [x, all[i]])); }
  first() { return this[0]; }
}
```""",
    ]
}
