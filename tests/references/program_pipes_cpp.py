def nothing(messages):
    return ""


PULL = r"""```cpp
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

// A flow makes a fresh "next" function whenever it is started.
template <class T>
struct Flow {
    using Next = std::function<std::optional<T>()>;
    std::function<Next()> start;

    std::vector<T> collect() const {
        std::vector<T> all;
        Next next = start();
        while (auto value = next()) all.push_back(std::move(*value));
        return all;
    }

    template <class A, class F>
    A fold(A total, F f) const {
        Next next = start();
        while (auto value = next()) total = f(std::move(total), std::move(*value));
        return total;
    }
};

template <class T, class Step>
auto operator|(const Flow<T>& flow, Step step) -> decltype(step(flow)) { return step(flow); }

inline Flow<int> from(int first) {
    return {[first]() -> Flow<int>::Next {
        return [n = first]() mutable -> std::optional<int> { return n++; };
    }};
}

template <class T>
Flow<T> each(std::vector<T> values) {
    auto shared = std::make_shared<const std::vector<T>>(std::move(values));
    return {[shared]() -> typename Flow<T>::Next {
        return [shared, i = std::size_t{0}]() mutable -> std::optional<T> {
            if (i == shared->size()) return std::nullopt;
            return (*shared)[i++];
        };
    }};
}

template <class F>
auto map(F f) {
    return [f]<class T>(const Flow<T>& flow) {
        using R = std::decay_t<std::invoke_result_t<F, T>>;
        return Flow<R>{[f, flow]() -> typename Flow<R>::Next {
            return [f, next = flow.start()]() mutable -> std::optional<R> {
                if (auto value = next()) return f(std::move(*value));
                return std::nullopt;
            };
        }};
    };
}

template <class F>
auto keep(F f) {
    return [f]<class T>(const Flow<T>& flow) {
        return Flow<T>{[f, flow]() -> typename Flow<T>::Next {
            return [f, next = flow.start()]() mutable -> std::optional<T> {
                while (auto value = next())
                    if (f(*value)) return value;
                return std::nullopt;
            };
        }};
    };
}

inline auto take(std::size_t n) {
    return [n]<class T>(const Flow<T>& flow) {
        return Flow<T>{[n, flow]() -> typename Flow<T>::Next {
            return [left = n, next = flow.start()]() mutable -> std::optional<T> {
                if (left == 0) return std::nullopt;
                --left;
                return next();
            };
        }};
    };
}

inline auto skip(std::size_t n) {
    return [n]<class T>(const Flow<T>& flow) {
        return Flow<T>{[n, flow]() -> typename Flow<T>::Next {
            return [left = n, next = flow.start()]() mutable -> std::optional<T> {
                for (; left > 0; --left)
                    if (!next()) { left = 0; return std::nullopt; }
                return next();
            };
        }};
    };
}

inline auto pairs() {
    return []<class T>(const Flow<T>& flow) {
        using P = std::pair<T, T>;
        return Flow<P>{[flow]() -> typename Flow<P>::Next {
            return [next = flow.start(), last = std::optional<T>{}]() mutable -> std::optional<P> {
                if (!last && !(last = next())) return std::nullopt;
                auto value = next();
                if (!value) return std::nullopt;
                P pair{*last, *value};
                last = std::move(value);
                return pair;
            };
        }};
    };
}
```"""

PUSH = r"""A push version: every stage calls the next one, which answers whether it wants more.

```c++
#include <cstddef>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

template <class T>
class Stream {
public:
    using value_type = T;
    using Sink = std::function<bool(const T&)>;  // false: enough
    explicit Stream(std::function<void(Sink)> run) : run_(std::move(run)) {}
    void run(Sink sink) const { run_(std::move(sink)); }

    std::vector<T> collect() const {
        std::vector<T> out;
        run_([&](const T& v) { out.push_back(v); return true; });
        return out;
    }
    template <class A, class F>
    A fold(A a, F f) const {
        run_([&](const T& v) { a = f(a, v); return true; });
        return a;
    }

private:
    std::function<void(Sink)> run_;
};

inline Stream<int> from(int k) {
    return Stream<int>([k](Stream<int>::Sink s) { for (int n = k; s(n); ++n) {} });
}

template <class T>
Stream<T> each(const std::vector<T>& v) {
    return Stream<T>([v](typename Stream<T>::Sink s) {
        for (const T& x : v) if (!s(x)) return;
    });
}

template <class F> struct Map { F f; };
template <class F> Map<F> map(F f) { return {f}; }
template <class F> struct Keep { F f; };
template <class F> Keep<F> keep(F f) { return {f}; }
struct Take { std::size_t n; };
inline Take take(std::size_t n) { return {n}; }
struct Skip { std::size_t n; };
inline Skip skip(std::size_t n) { return {n}; }
struct Pairs {};
inline Pairs pairs() { return {}; }

template <class T, class F>
auto operator|(Stream<T> in, Map<F> m) {
    using R = std::decay_t<decltype(m.f(std::declval<const T&>()))>;
    return Stream<R>([=](typename Stream<R>::Sink s) { in.run([&](const T& v) { return s(m.f(v)); }); });
}
template <class T, class F>
Stream<T> operator|(Stream<T> in, Keep<F> k) {
    return Stream<T>([=](typename Stream<T>::Sink s) { in.run([&](const T& v) { return !k.f(v) || s(v); }); });
}
template <class T>
Stream<T> operator|(Stream<T> in, Take t) {
    return Stream<T>([=](typename Stream<T>::Sink s) {
        std::size_t left = t.n;
        if (left) in.run([&](const T& v) { return s(v) && --left > 0; });
    });
}
template <class T>
Stream<T> operator|(Stream<T> in, Skip k) {
    return Stream<T>([=](typename Stream<T>::Sink s) {
        std::size_t left = k.n;
        in.run([&](const T& v) { return left > 0 ? (left--, true) : s(v); });
    });
}
template <class T>
auto operator|(Stream<T> in, Pairs) {
    using P = std::pair<T, T>;
    return Stream<P>([=](typename Stream<P>::Sink s) {
        std::optional<T> last;
        in.run([&](const T& v) {
            bool more = !last || s(P{*last, v});
            last = v;
            return more;
        });
    });
}
```"""

RIGHT = {"TestProgramPipesCpp": [PULL, PUSH]}

WRONG = {
    "TestProgramPipesCpp": [
        nothing,
        # asks for a fourth element before it sees that three are enough
        PULL.replace(
            """                if (left == 0) return std::nullopt;
                --left;
                return next();""",
            """                auto value = next();
                if (left == 0) return std::nullopt;
                --left;
                return value;""",
        ),
        # pairs that do not overlap
        PULL.replace("last = std::move(value);", "last.reset();"),
        # only the example
        """```cpp
#include <cstdio>
int main() {
    // odd squares: 1 9 25
    std::printf("1 9 25\\n7\\n4 5\\n");
}
```""",
    ]
}
