from evaluator import *

DESCRIPTION = "Can the model find every way in which a java comparator breaks its contract?"
TAGS = ["code", "java", "debug"]
DETERMINISTIC = True

question = """
Once a week, with the big leagues: java.lang.IllegalArgumentException: Comparison method violates its general contract! Also
players with equal seeds are sometimes not in alphabetical order, but never with the small seeds of my tests?! Wanted: more
points first, then the higher average (NaN means has not played, those come last), then the smaller seed (no seed, that is
null, comes last), then the name. Please fix it, java 17, same names.

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

checks = """
import java.util.*;
import java.util.stream.*;

class Checks {
    public static void main(String[] args) {
        int[] points = {Integer.MAX_VALUE, 7, 0, -5, Integer.MIN_VALUE};
        double[] averages = {Double.POSITIVE_INFINITY, 2.5, 2.25, -1.0, Double.NaN};
        Integer[] seeds = {Integer.MIN_VALUE, 1, 1000, Integer.MAX_VALUE, null};
        String[] names = {"Ana", "Bo", "Zed", "ana"};
        List<Ranking.Player> wanted = new ArrayList<>();
        for (int p : points) for (double a : averages) for (Integer s : seeds) for (String n : names)
            wanted.add(new Ranking.Player(n, p, a, s == null ? null : Integer.valueOf(s.intValue())));
        boolean same = true;
        for (int seed = 0; seed < 40; seed++) {
            List<Ranking.Player> mixed = new ArrayList<>(wanted);
            Collections.shuffle(mixed, new Random(seed));
            List<Ranking.Player> before = new ArrayList<>(mixed);
            same &= Ranking.ranked(mixed).equals(wanted);
            same &= mixed.equals(before);
        }
        System.out.println("order " + same);
        System.out.println("set " + Ranking.ranked(new HashSet<>(wanted)).equals(wanted));
        System.out.println("none " + Ranking.ranked(List.of()) + Ranking.ranked(Set.of(wanted.get(3))).size());
    }
}
"""

answer = "order true\nset true\nnone []1\n"

TestJavaComparatorContract = (
    question >> LLMRun() >> ExtractCode(lang="java") >> JavaRun(checks) >> SubstringEvaluator(answer)
)

if __name__ == "__main__":
    print(run_test(TestJavaComparatorContract))
