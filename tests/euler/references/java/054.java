import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

public class PokerHands {
    private static final String VALUES = "23456789TJQKA";

    private enum Rank {
        HIGH_CARD, ONE_PAIR, TWO_PAIRS, THREE, STRAIGHT, FLUSH, FULL_HOUSE, FOUR, STRAIGHT_FLUSH
    }

    /** The values stand in the order in which hands of equal rank compare them. */
    private record Hand(Rank rank, List<Integer> values) implements Comparable<Hand> {
        static Hand of(List<String> cards) {
            List<Integer> all = cards.stream().map(card -> VALUES.indexOf(card.charAt(0))).toList();
            // larger groups of equal cards first, and higher values first among equal groups
            Comparator<Integer> byGroup = Comparator.comparing(value -> count(value, all));
            List<Integer> values = all.stream().distinct()
                    .sorted(byGroup.thenComparing(Comparator.naturalOrder()).reversed()).toList();
            boolean flush = cards.stream().map(card -> card.charAt(1)).distinct().count() == 1;
            boolean straight = values.size() == 5 && values.get(0) - values.get(4) == 4;
            return new Hand(rank(count(values.get(0), all), values.size(), flush, straight), values);
        }

        private static long count(Integer value, List<Integer> all) {
            return all.stream().filter(value::equals).count();
        }

        /** A royal flush needs no rank of its own: it is the straight flush with the highest values. */
        private static Rank rank(long largestGroup, int groups, boolean flush, boolean straight) {
            return switch (groups) {
                case 2 -> largestGroup == 4 ? Rank.FOUR : Rank.FULL_HOUSE;
                case 3 -> largestGroup == 3 ? Rank.THREE : Rank.TWO_PAIRS;
                case 4 -> Rank.ONE_PAIR;
                default -> straight && flush ? Rank.STRAIGHT_FLUSH
                        : straight ? Rank.STRAIGHT
                        : flush ? Rank.FLUSH
                        : Rank.HIGH_CARD;
            };
        }

        @Override
        public int compareTo(Hand other) {
            int order = rank.compareTo(other.rank);
            for (int i = 0; order == 0 && i < values.size(); i++) {
                order = values.get(i).compareTo(other.values.get(i));
            }
            return order;
        }
    }

    public static void main(String[] args) throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("poker.txt"))) {
            List<List<String>> deals = lines.filter(line -> !line.isBlank())
                    .map(line -> List.of(line.strip().split(" "))).collect(Collectors.toList());
            System.out.println(deals.stream().filter(PokerHands::firstPlayerWins).count());
        }
    }

    private static boolean firstPlayerWins(List<String> cards) {
        return Hand.of(cards.subList(0, 5)).compareTo(Hand.of(cards.subList(5, 10))) > 0;
    }
}
