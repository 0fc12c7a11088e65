from evaluator import *

DESCRIPTION = (
    "Can the model mend a java monitor: conditions awaited in loops, the right threads woken, a close?"
)
TAGS = ["code", "java", "debug", "threads"]

question = """
My queue between threads sometimes throws NoSuchElementException in take and with more threads it just stops, all of them in
wait(). And close() doesn't end the consumers. What it should do: put waits while there are capacity items; take waits while
there are none; after close() a put throws IllegalStateException, also one that is waiting, while take still gives what is
left and then null, at once and for everybody that waits. Please correct it, keep the names, no java.util.concurrent (that's
the exercise).

import java.util.ArrayDeque;

public class Handoff<T> {
    private final ArrayDeque<T> items = new ArrayDeque<>();
    private final int capacity;
    private boolean closed;

    public Handoff(int capacity) { this.capacity = capacity; }

    public synchronized void put(T item) throws InterruptedException {
        if (items.size() == capacity) wait();
        items.add(item);
        notify();
    }

    public synchronized T take() throws InterruptedException {
        if (items.isEmpty()) wait();
        T item = items.remove();
        notify();
        return item;
    }

    public void close() { closed = true; }
}
"""

checks = """
import java.util.*;
import java.util.concurrent.atomic.*;

class Checks {
    interface Job { Object run() throws Exception; }

    static final List<Thread> threads = new ArrayList<>();

    // starts the job; its outcome, or "waits" while there is none
    static AtomicReference<Object> start(Job job) {
        AtomicReference<Object> outcome = new AtomicReference<>("waits");
        Thread thread = new Thread(() -> {
            try { outcome.set(String.valueOf(job.run())); }
            catch (Throwable error) { outcome.set(error.getClass().getSimpleName()); }
        });
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
        return outcome;
    }

    // the outcomes, once every thread has ended or waits
    static String outcomes(List<AtomicReference<Object>> all) throws Exception {
        long end = System.nanoTime() + 4_000_000_000L;
        for (int still = 0; still < 3 && System.nanoTime() < end; still++) {
            Thread.sleep(5);
            for (Thread each : threads) {
                if (each.getState() == Thread.State.TIMED_WAITING) Thread.sleep(100);
                else if (each.getState() != Thread.State.WAITING && each.isAlive()) still = -1;
            }
        }
        threads.removeIf(each -> !each.isAlive());
        List<String> now = new ArrayList<>();
        for (AtomicReference<Object> each : all) now.add(String.valueOf(each.get()));
        Collections.sort(now);
        return now.toString();
    }

    static List<AtomicReference<Object>> started(int count, Job job) {
        List<AtomicReference<Object>> all = new ArrayList<>();
        for (int i = 0; i < count; i++) all.add(start(job));
        return all;
    }

    public static void main(String[] args) throws Exception {
        Handoff<Integer> a = new Handoff<>(2);
        List<AtomicReference<Object>> takers = started(3, a::take);
        outcomes(takers);
        a.put(1);
        System.out.println("one of three " + outcomes(takers));
        a.close();
        System.out.println("closed " + outcomes(takers) + outcomes(started(2, a::take)));

        Handoff<Integer> b = new Handoff<>(2);
        AtomicInteger number = new AtomicInteger();
        List<AtomicReference<Object>> putters = started(5, () -> { b.put(number.incrementAndGet()); return "put"; });
        System.out.println("full " + outcomes(putters));
        String taken = outcomes(started(1, b::take));
        System.out.println("room for one " + taken.replaceAll("[1-5]", "").equals("[]") + outcomes(putters));
        b.close();
        System.out.println("no more " + outcomes(putters) + outcomes(started(1, () -> { b.put(9); return "put"; })));
        System.out.println("rest " + outcomes(started(3, () -> b.take() == null ? "end" : "item")));

        Handoff<Integer> order = new Handoff<>(3);
        List<Integer> got = new ArrayList<>();
        start(() -> { for (int i = 0; i < 1000; i++) order.put(i); order.close(); return 0; });
        outcomes(started(1, () -> { for (Integer x; (x = order.take()) != null;) got.add(x); return got.size(); }));
        boolean sorted = got.size() == 1000;
        for (int i = 0; sorted && i < 1000; i++) sorted = got.get(i) == i;
        System.out.println("in order " + sorted);

        Handoff<Integer> busy = new Handoff<>(1);
        AtomicLong sum = new AtomicLong();
        List<AtomicReference<Object>> all = new ArrayList<>();
        all.addAll(started(10, () -> { for (int i = 1; i <= 300; i++) busy.put(i); return "done"; }));
        all.addAll(started(10, () -> { for (int i = 1; i <= 300; i++) sum.addAndGet(busy.take()); return "done"; }));
        String seen = outcomes(all);
        System.out.println("busy " + seen.replaceAll("[^w]", "").length() + " " + sum);
        System.exit(0);
    }
}
"""

answer = """one of three [1, waits, waits]
closed [1, null, null][null, null]
full [put, put, waits, waits, waits]
room for one true[put, put, put, waits, waits]
no more [IllegalStateException, IllegalStateException, put, put, put][IllegalStateException]
rest [end, item, item]
in order true
busy 0 451500
"""

TestJavaHandoffMonitor = (
    question
    >> LLMRun()
    >> ExtractCode(lang="java")
    >> (~RegexEvaluator(r"import\s+java\.util\.concurrent") & (JavaRun(checks) >> SubstringEvaluator(answer)))
)

if __name__ == "__main__":
    print(run_test(TestJavaHandoffMonitor))
