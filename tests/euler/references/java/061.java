import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

public class CyclicalFigurateNumbers {
    private static final List<IntUnaryOperator> POLYGONAL = List.of(
            n -> n * (n + 1) / 2,
            n -> n * n,
            n -> n * (3 * n - 1) / 2,
            n -> n * (2 * n - 1),
            n -> n * (5 * n - 3) / 2,
            n -> n * (3 * n - 2));
    private static final int OCTAGONAL = 5;

    private static final List<int[]> FOUR_DIGITS = POLYGONAL.stream()
            .map(kind -> IntStream.range(1, 150).map(kind).filter(p -> p >= 1000 && p <= 9999).toArray())
            .toList();

    public static void main(String[] args) {
        // A cycle has no first member: begin with the octagonal number.
        for (int octagonal : FOUR_DIGITS.get(OCTAGONAL)) {
            extend(new ArrayList<>(List.of(octagonal)), 1 << OCTAGONAL);
        }
    }

    /** Goes on with one number of each kind that is not in the bit set `used`, and closes the cycle. */
    private static void extend(List<Integer> chain, int used) {
        int last = chain.get(chain.size() - 1);
        if (chain.size() == FOUR_DIGITS.size()) {
            if (last % 100 == chain.get(0) / 100) {
                System.out.println(chain.stream().mapToInt(Integer::intValue).sum());
            }
            return;
        }
        for (int kind = 0; kind < FOUR_DIGITS.size(); kind++) {
            if ((used & 1 << kind) != 0) {
                continue;
            }
            for (int number : FOUR_DIGITS.get(kind)) {
                if (number / 100 == last % 100 && !chain.contains(number)) {
                    chain.add(number);
                    extend(chain, used | 1 << kind);
                    chain.remove(chain.size() - 1);
                }
            }
        }
    }
}
