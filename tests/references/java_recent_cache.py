def nothing(messages):
    return ""


CACHE = """```java
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

public class RecentCache<K, V> {
    private record Entry<V>(V value, long since) {}

    private final int capacity;
    private final long ttl;
    private final LinkedHashMap<K, Entry<V>> entries = new LinkedHashMap<>(16, 0.75f, true);

    public RecentCache(int capacity, long ttl) {
        this.capacity = capacity;
        this.ttl = ttl;
    }

    private boolean tooOld(Entry<V> entry, long now) {
        return now - entry.since() > ttl;
    }

    public void put(K key, V value, long now) {
        if (!entries.containsKey(key) && entries.size() >= capacity) {
            entries.values().removeIf(entry -> tooOld(entry, now));
            if (entries.size() >= capacity) {
                entries.remove(entries.keySet().iterator().next());
            }
        }
        entries.put(key, new Entry<>(value, now));
    }

    public V get(K key, long now) {
        Entry<V> entry = entries.get(key);
        if (entry == null) return null;
        if (tooOld(entry, now)) {
            entries.remove(key);
            return null;
        }
        return entry.value();
    }

    public int size(long now) {
        return keys(now).size();
    }

    public List<K> keys(long now) {
        List<K> valid = new ArrayList<>();
        for (Map.Entry<K, Entry<V>> each : entries.entrySet()) {
            if (!tooOld(each.getValue(), now)) valid.add(each.getKey());
        }
        return valid;
    }
}
```"""

RIGHT = {
    "TestJavaRecentCache": [
        CACHE,
        """Two maps, one in order of use, one with times; the demo shows how it is used.

```java
import java.util.*;

public class RecentCache<K, V> {
    final int capacity; final long ttl;
    final LinkedHashMap<K, V> used = new LinkedHashMap<>();
    final LinkedHashMap<K, Long> born = new LinkedHashMap<>();

    public RecentCache(int capacity, long ttl) { this.capacity = capacity; this.ttl = ttl; }

    private void expire(long now) {
        Iterator<Map.Entry<K, Long>> oldest = born.entrySet().iterator();
        while (oldest.hasNext()) {
            Map.Entry<K, Long> e = oldest.next();
            if (now - e.getValue() <= ttl) break;
            used.remove(e.getKey());
            oldest.remove();
        }
    }

    public void put(K key, V value, long now) {
        expire(now);
        used.remove(key);
        born.remove(key);
        if (used.size() == capacity) {
            K least = used.keySet().iterator().next();
            used.remove(least);
            born.remove(least);
        }
        used.put(key, value);
        born.put(key, now);
    }

    public V get(K key, long now) {
        expire(now);
        V value = used.remove(key);
        if (value != null) used.put(key, value);
        return value;
    }

    public int size(long now) { expire(now); return used.size(); }

    public List<K> keys(long now) { expire(now); return new ArrayList<>(used.keySet()); }

    public static void main(String[] args) {
        RecentCache<String, Integer> cache = new RecentCache<>(2, 10);
        cache.put("one", 1, 0);
        System.out.println(cache.get("one", 5));
    }
}
```""",
    ]
}

WRONG = {
    "TestJavaRecentCache": [
        nothing,
        CACHE.replace("0.75f, true", "0.75f, false"),  # the oldest goes, not the least recently used
        CACHE.replace("> ttl", ">= ttl"),
        CACHE.replace("            entries.values().removeIf(entry -> tooOld(entry, now));\n", ""),
        CACHE.replace("!entries.containsKey(key) && ", ""),  # replacing throws another entry out
        CACHE.replace(
            "return entry.value();",
            "entries.put(key, new Entry<>(entry.value(), now));\n        return entry.value();",
        ),
        "```java\npublic class RecentCache<K, V> {\n    // basic null 0 [] 1 [b, c, a] null [c, a, d] 3\n}\n```",
    ]
}
