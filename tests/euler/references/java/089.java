import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

public class Main {
    static final String LETTERS = "IVXLCDM";
    static final int[] VALUES = {1, 5, 10, 50, 100, 500, 1000};

    /** How many letters the digits from 0 to 9 take in shortest form, in each of the places below thousands. */
    static final int[] LENGTHS = {0, 1, 2, 3, 2, 1, 2, 3, 4, 2};

    public static void main(String[] args) throws IOException {
        int saved = 0;
        for (String line : Files.readAllLines(Path.of("roman.txt"))) {
            String numeral = line.strip();
            saved += numeral.length() - shortestLength(value(numeral));
        }
        System.out.println(saved);
    }

    static int value(String numeral) {
        int total = 0;
        int following = 0;
        for (int index = numeral.length() - 1; index >= 0; index--) {
            int number = VALUES[LETTERS.indexOf(numeral.charAt(index))];
            total += number < following ? -number : number;
            following = number;
        }
        return total;
    }

    static int shortestLength(int number) {
        return number / 1000 + LENGTHS[number / 100 % 10] + LENGTHS[number / 10 % 10] + LENGTHS[number % 10];
    }
}
