import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

public class Main {
    static final int DIE = 4;
    static final int GO = 0;
    static final int R1 = 5;
    static final int JAIL = 10;
    static final int C1 = 11;
    static final int E3 = 24;
    static final int GO_TO_JAIL = 30;
    static final int H2 = 39;
    static final List<Integer> CHEST = List.of(2, 17, 33);
    static final List<Integer> CHANCE = List.of(7, 22, 36);
    static final List<Integer> RAILWAYS = List.of(5, 15, 25, 35);
    static final List<Integer> UTILITIES = List.of(12, 28);

    public static void main(String[] args) {
        // A Markov chain whose states are the number of doubles in a row (0, 1 or 2) and a square.
        double[][] share = new double[3][40];
        share[0][GO] = 1;
        for (int turn = 0; turn < 300; turn++) {
            double[][] after = new double[3][40];
            for (int doubles = 0; doubles < 3; doubles++) {
                for (int square = 0; square < 40; square++) {
                    move(square, doubles, share[doubles][square], after);
                }
            }
            share = after;
        }
        double[][] last = share;
        double[] squares =
                IntStream.range(0, 40).mapToDouble(s -> last[0][s] + last[1][s] + last[2][s]).toArray();
        System.out.println(IntStream.range(0, 40)
                .boxed()
                .sorted(Comparator.comparingDouble(square -> -squares[square]))
                .limit(3)
                .map(square -> String.format("%02d", square))
                .collect(Collectors.joining()));
    }

    /** Spread `probability` over the states after one turn. */
    static void move(int square, int doubles, double probability, double[][] after) {
        double chance = probability / (DIE * DIE);
        for (int first = 1; first <= DIE; first++) {
            for (int second = 1; second <= DIE; second++) {
                if (first != second) {
                    arrive((square + first + second) % 40, chance, after[0]);
                } else if (doubles == 2) {
                    after[0][JAIL] += chance;
                } else {
                    arrive((square + first + second) % 40, chance, after[doubles + 1]);
                }
            }
        }
    }

    /** Spread `chance` over the squares where a player who comes to `square` ends the turn. */
    static void arrive(int square, double chance, double[] ends) {
        double card = chance / 16;
        if (square == GO_TO_JAIL) {
            ends[JAIL] += chance;
        } else if (CHEST.contains(square)) {
            ends[GO] += card;
            ends[JAIL] += card;
            ends[square] += 14 * card;
        } else if (CHANCE.contains(square)) {
            for (int end : new int[] {GO, JAIL, C1, E3, H2, R1}) {
                ends[end] += card;
            }
            ends[following(square, RAILWAYS)] += 2 * card;
            ends[following(square, UTILITIES)] += card;
            arrive(square - 3, card, ends);
            ends[square] += 6 * card;
        } else {
            ends[square] += chance;
        }
    }

    static int following(int square, List<Integer> kind) {
        return kind.stream().filter(other -> other > square).findFirst().orElse(kind.get(0));
    }
}
