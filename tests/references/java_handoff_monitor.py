def nothing(messages):
    return ""


HANDOFF = """```java
import java.util.ArrayDeque;

public class Handoff<T> {
    private final ArrayDeque<T> items = new ArrayDeque<>();
    private final int capacity;
    private boolean closed;

    public Handoff(int capacity) { this.capacity = capacity; }

    public synchronized void put(T item) throws InterruptedException {
        while (items.size() == capacity && !closed) wait();
        if (closed) throw new IllegalStateException("closed");
        items.add(item);
        notifyAll();
    }

    public synchronized T take() throws InterruptedException {
        while (items.isEmpty() && !closed) wait();
        if (items.isEmpty()) return null;
        T item = items.remove();
        notifyAll();
        return item;
    }

    public synchronized void close() {
        closed = true;
        notifyAll();
    }
}
```"""

RIGHT = {
    "TestJavaHandoffMonitor": [
        "A woken thread has to look again (`while`), and `notify` may wake one that cannot go on:\n\n"
        + HANDOFF,
        """```java
import java.util.LinkedList;

public class Handoff<T> {
    private final LinkedList<T> items = new LinkedList<>();
    private final Object lock = new Object();
    private final int capacity;
    private boolean closed = false;

    public Handoff(int capacity) {
        if (capacity < 1) throw new IllegalArgumentException("capacity");
        this.capacity = capacity;
    }

    public void put(T item) throws InterruptedException {
        synchronized (lock) {
            for (;;) {
                if (closed) throw new IllegalStateException("the queue is closed");
                if (items.size() < capacity) break;
                lock.wait();
            }
            items.addLast(item);
            lock.notifyAll();
        }
    }

    public T take() throws InterruptedException {
        synchronized (lock) {
            while (items.isEmpty()) {
                if (closed) return null;
                lock.wait();
            }
            lock.notifyAll();
            return items.removeFirst();
        }
    }

    public void close() {
        synchronized (lock) { closed = true; lock.notifyAll(); }
    }
}
```""",
    ]
}

WRONG = {
    "TestJavaHandoffMonitor": [
        nothing,
        HANDOFF.replace("while (items", "if (items"),
        HANDOFF.replace("notifyAll()", "notify()"),
        # the queue is right, the close is not
        HANDOFF.replace("        closed = true;\n        notifyAll();", "        closed = true;"),
        HANDOFF.replace('        if (closed) throw new IllegalStateException("closed");\n', ""),
        HANDOFF.replace(
            "        if (items.isEmpty()) return null;\n", "        if (closed) return null;\n"
        ),  # loses the rest
        "Use while and notifyAll.\n\n```java\nimport java.util.concurrent.*;\n\npublic class Handoff<T> "
        "extends LinkedBlockingQueue<T> {\n    public Handoff(int n) { super(n); }\n    public void close() {}\n}\n```",
    ]
}
