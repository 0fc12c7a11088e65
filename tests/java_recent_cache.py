from evaluator import *

DESCRIPTION = (
    "Can the model write a generic java class with expiry and a size limit that behaves exactly as asked?"
)
TAGS = ["code", "java"]
DETERMINISTIC = True

question = """
For our java service I need a small cache without any library: public class RecentCache<K, V> with

- RecentCache(int capacity, long ttl): at most capacity entries, an entry is valid for ttl units of time
- void put(K key, V value, long now): stores or replaces; the entry's time begins anew
- V get(K key, long now): the value, or null if there is none or it is too old (older than ttl; exactly ttl old is still fine)
- int size(long now): how many valid entries there are
- java.util.List<K> keys(long now): valid keys, the least recently used first

When a new key would be one too many, entries that are too old go first, and if that's not enough the one least recently
used; put and a successful get count as use. A get does not prolong an entry's time. Times never run backwards. keys and
values are never null.
"""

checks = """
class Checks {
    static StringBuilder seen = new StringBuilder();

    static void see(Object what) { seen.append(what).append(' '); }

    public static void main(String[] args) {
        RecentCache<String, Integer> c = new RecentCache<>(3, 10);
        see(c.get("a", 0)); see(c.size(0)); see(c.keys(0));
        c.put("a", 1, 0); c.put("b", 2, 1); c.put("c", 3, 2);
        see(c.get("a", 3)); see(c.keys(3));
        c.put("d", 4, 4);
        see(c.get("b", 4)); see(c.keys(4)); see(c.size(4));
        System.out.println("basic " + seen); seen.setLength(0);

        see(c.get("a", 10)); see(c.get("a", 11)); see(c.keys(11));
        c.put("a", 5, 12); see(c.keys(12)); see(c.get("c", 12)); see(c.get("c", 13)); see(c.size(13));
        System.out.println("time " + seen); seen.setLength(0);

        RecentCache<Integer, String> old = new RecentCache<>(2, 5);
        old.put(1, "x", 0); old.put(2, "y", 3); see(old.get(1, 4));
        old.put(3, "z", 6);
        see(old.keys(6)); see(old.get(2, 6)); see(old.get(1, 6));
        System.out.println("expired first " + seen); seen.setLength(0);

        RecentCache<String, String> r = new RecentCache<>(2, 100);
        r.put("k", "one", 0); r.put("l", "two", 1); r.put("l", "three", 2); see(r.keys(2));
        r.put("k", "four", 3); see(r.keys(3)); r.put("m", "five", 4); see(r.get("l", 4)); see(r.get("k", 4));
        see(r.keys(4)); see(r.size(103)); see(r.size(104)); see(r.keys(104));
        System.out.println("replace " + seen); seen.setLength(0);

        RecentCache<Integer, Integer> big = new RecentCache<>(1000, 1_000_000);
        for (int i = 0; i < 200_000; i++) { big.put(i, i, i); big.get(i / 2, i); }
        see(big.size(200_000)); see(big.get(199_000, 200_000)); see(big.get(198_999, 200_000));
        System.out.println("many " + seen);
    }
}
"""

answer = """basic null 0 [] 1 [b, c, a] null [c, a, d] 3 
time 1 null [c, d] [c, d, a] 3 null 2 
expired first x [2, 3] y null 
replace [k, l] [l, k] null four [m, k] 2 1 [m] 
many 1000 199000 null 
"""

TestJavaRecentCache = (
    question >> LLMRun() >> ExtractCode(lang="java") >> JavaRun(checks) >> SubstringEvaluator(answer)
)

if __name__ == "__main__":
    print(run_test(TestJavaRecentCache))
