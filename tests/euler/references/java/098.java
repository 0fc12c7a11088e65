import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

public class Main {
    public static void main(String[] args) throws IOException {
        String text = Files.readString(Path.of("words.txt")).strip().replace("\"", "");
        Collection<List<String>> anagrams = Arrays.stream(text.split(","))
                .distinct()
                .collect(Collectors.groupingBy(Main::sortedLetters))
                .values();

        long best = 0;
        for (List<String> group : anagrams) {
            if (group.size() < 2) {
                continue;
            }
            List<String> squares = squaresOfLength(group.get(0).length());
            for (String word : group) {
                for (String square : squares) {
                    Map<Character, Character> digits = replacement(word, square);
                    if (digits == null) {
                        continue;
                    }
                    for (String other : group) {
                        if (!other.equals(word) && isSquare(replace(other, digits))) {
                            best = Math.max(best, Long.parseLong(square));
                        }
                    }
                }
            }
        }
        System.out.println(best);
    }

    static String sortedLetters(String word) {
        char[] letters = word.toCharArray();
        Arrays.sort(letters);
        return new String(letters);
    }

    static List<String> squaresOfLength(int length) {
        List<String> squares = new ArrayList<>();
        for (long root = 1; String.valueOf(root * root).length() <= length; root++) {
            String square = String.valueOf(root * root);
            if (square.length() == length) {
                squares.add(square);
            }
        }
        return squares;
    }

    /** The letters' digits that turn `word` into `square`, or null. */
    static Map<Character, Character> replacement(String word, String square) {
        Map<Character, Character> digits = new HashMap<>();
        for (int index = 0; index < word.length(); index++) {
            Character before = digits.put(word.charAt(index), square.charAt(index));
            if (before != null && before != square.charAt(index)) {
                return null;
            }
        }
        return digits.values().stream().distinct().count() == digits.size() ? digits : null;
    }

    static String replace(String word, Map<Character, Character> digits) {
        return word.chars().mapToObj(letter -> digits.get((char) letter).toString()).collect(Collectors.joining());
    }

    static boolean isSquare(String digits) {
        long number = Long.parseLong(digits);
        long root = Math.round(Math.sqrt(number));
        return digits.charAt(0) != '0' && root * root == number;
    }
}
