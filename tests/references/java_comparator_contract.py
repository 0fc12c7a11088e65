def nothing(messages):
    return ""


BY_HAND = """```java
import java.util.*;

public class Ranking {
    public record Player(String name, int points, double average, Integer seed) {}

    public static List<Player> ranked(Collection<Player> players) {
        List<Player> sorted = new ArrayList<>(players);
        sorted.sort((a, b) -> {
            int order = Integer.compare(b.points(), a.points());
            if (order != 0) return order;
            if (Double.isNaN(a.average()) != Double.isNaN(b.average())) return Double.isNaN(a.average()) ? 1 : -1;
            order = Double.compare(b.average(), a.average());
            if (order != 0) return order;
            if (!Objects.equals(a.seed(), b.seed())) {
                if (a.seed() == null) return 1;
                if (b.seed() == null) return -1;
                return a.seed().compareTo(b.seed());
            }
            return a.name().compareTo(b.name());
        });
        return sorted;
    }
}
```"""

RIGHT = {
    "TestJavaComparatorContract": [
        "Three mistakes: differences of ints overflow, NaN is neither larger nor smaller than anything, and `!=` on Integer "
        "compares objects (small ones are cached, hence your tests).\n\n" + BY_HAND,
        """```java
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

public class Ranking {
    public record Player(String name, int points, double average, Integer seed) {}

    private static final Comparator<Player> ORDER =
        Comparator.comparingInt(Player::points).reversed()
            .thenComparing(p -> Double.isNaN(p.average()))
            .thenComparing(Comparator.comparingDouble(Player::average).reversed())
            .thenComparing(Player::seed, Comparator.nullsLast(Comparator.naturalOrder()))
            .thenComparing(Player::name);

    public static List<Player> ranked(Collection<Player> players) {
        return players.stream().sorted(ORDER).toList();
    }

    public static void main(String[] args) {
        System.out.println(ranked(List.of(new Player("Ana", 3, 1.5, null))));
    }
}
```""",
    ]
}

WRONG = {
    "TestJavaComparatorContract": [
        nothing,
        BY_HAND.replace("Integer.compare(b.points(), a.points())", "b.points() - a.points()"),
        # Double.compare alone has NaN as the largest
        BY_HAND.replace(
            "            if (Double.isNaN(a.average()) != Double.isNaN(b.average())) return Double.isNaN(a.average()) ? 1 : -1;\n",
            "",
        ),
        BY_HAND.replace("!Objects.equals(a.seed(), b.seed())", "a.seed() != b.seed()"),
        BY_HAND.replace("a.seed().compareTo(b.seed())", "a.seed() - b.seed()"),
        # knows the message, and only silences it
        """```java
import java.util.*;

public class Ranking {
    static { System.setProperty("java.util.Arrays.useLegacyMergeSort", "true"); } // no general contract
    public record Player(String name, int points, double average, Integer seed) {}

    public static List<Player> ranked(Collection<Player> players) {
        List<Player> sorted = new ArrayList<>(players);
        sorted.sort(Comparator.comparing(Player::name));
        return sorted;
    }
}
```""",
    ]
}
