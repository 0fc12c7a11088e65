from evaluator import *

DESCRIPTION = "Can the model find every way in which a java comparator breaks its contract?"
TAGS = ["code", "java", "debug"]
DETERMINISTIC = True

question = """
Once a week, with the big leagues: java.lang.IllegalArgumentException: Comparison method violates its general contract! Also
players with equal seeds are sometimes not in alphabetical order, but never with the small seeds of my tests?! Wanted: more
points first, then the higher average (NaN means has not played, those come last), then the smaller seed (no seed, that is
null, comes last), then the name. Please fix it, same names.

import java.util.*;

public class Ranking {
    public record Player(String name, int points, double average, Integer seed) {}

    public static List<Player> ranked(Collection<Player> players) {
        List<Player> sorted = new ArrayList<>(players);
        sorted.sort((a, b) -> {
            if (a.points() != b.points()) return b.points() - a.points();
            if (a.average() != b.average()) return a.average() > b.average() ? -1 : 1;
            if (a.seed() != b.seed()) {
                if (a.seed() == null) return 1;
                if (b.seed() == null) return -1;
                return a.seed() - b.seed();
            }
            return a.name().compareTo(b.name());
        });
        return sorted;
    }
}
"""

# The order is printed and compared here: equals() of a record is the program's word.
checks = """
import java.util.*;
import java.util.stream.*;

class Checks {
    static String told(Collection<Ranking.Player> players) {
        StringBuilder all = new StringBuilder();
        for (Ranking.Player p : players)
            all.append(p.points()).append(' ').append(p.average()).append(' ').append(p.seed()).append(' ')
                .append(p.name()).append(';');
        return all.toString();
    }

    public static void main(String[] args) {
        int[] points = {Integer.MAX_VALUE, 7, 0, -5, Integer.MIN_VALUE};
        double[] averages = {Double.POSITIVE_INFINITY, 2.5, 2.25, -1.0, Double.NaN};
        Integer[] seeds = {Integer.MIN_VALUE, 1, 1000, Integer.MAX_VALUE, null};
        String[] names = {"Ana", "Bo", "Zed", "ana"};
        List<Ranking.Player> wanted = new ArrayList<>();
        for (int p : points) for (double a : averages) for (Integer s : seeds) for (String n : names)
            wanted.add(new Ranking.Player(n, p, a, s == null ? null : Integer.valueOf(s.intValue())));
        for (int seed = 0; seed < 40; seed++) {
            List<Ranking.Player> mixed = new ArrayList<>(wanted);
            Collections.shuffle(mixed, new Random(seed));
            List<Ranking.Player> before = new ArrayList<>(mixed);
            String order = told(Ranking.ranked(mixed));
            if (seed == 0) System.out.println(order);
            System.out.println("order " + order.hashCode());
            for (int i = 0; i < before.size(); i++)
                if (mixed.get(i) != before.get(i)) System.out.println("the argument was changed");
        }
        System.out.println("set " + told(Ranking.ranked(new HashSet<>(wanted))).hashCode());
        System.out.println("none " + Ranking.ranked(List.of()) + Ranking.ranked(Set.of(wanted.get(3))).size());
    }
}
"""


def right_order():
    largest, smallest = 2**31 - 1, -(2**31)
    return "".join(
        f"{points} {average} {seed} {name};"
        for points in (largest, 7, 0, -5, smallest)
        for average in ("Infinity", "2.5", "2.25", "-1.0", "NaN")
        for seed in (smallest, 1, 1000, largest, "null")
        for name in ("Ana", "Bo", "Zed", "ana")
    )


def hash_code(text):
    """As java's String.hashCode."""
    code = 0
    for character in text:
        code = (31 * code + ord(character)) % 2**32
    return code - 2**32 if code >= 2**31 else code


code = hash_code(right_order())
answer = f"{right_order()}\n" + f"order {code}\n" * 40 + f"set {code}\nnone []1\n"

TestJavaComparatorContract = (
    question >> LLMRun() >> ExtractCode(lang="java") >> JavaRun(checks) >> SubstringEvaluator(answer)
)

if __name__ == "__main__":
    print(run_test(TestJavaComparatorContract))
