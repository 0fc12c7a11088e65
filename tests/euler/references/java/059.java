import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

public class XorDecryption {
    private static final int KEY_LENGTH = 3;

    public static void main(String[] args) throws IOException {
        String[] numbers = Files.readString(Path.of("cipher.txt")).strip().split(",");
        int[] codes = Arrays.stream(numbers).mapToInt(Integer::parseInt).toArray();
        int[] key = new int[KEY_LENGTH];
        for (int start = 0; start < KEY_LENGTH; start++) {
            key[start] = bestLetter(codes, start);
        }
        int sum = 0;
        for (int i = 0; i < codes.length; i++) {
            sum += codes[i] ^ key[i % KEY_LENGTH];
        }
        System.out.println(sum);
    }

    /** The letter that makes the most spaces: they are the most frequent character of the text. */
    private static int bestLetter(int[] codes, int start) {
        int best = 'a';
        for (int letter = 'b'; letter <= 'z'; letter++) {
            if (spaces(codes, start, letter) > spaces(codes, start, best)) {
                best = letter;
            }
        }
        return best;
    }

    private static int spaces(int[] codes, int start, int letter) {
        int count = 0;
        for (int i = start; i < codes.length; i += KEY_LENGTH) {
            if ((codes[i] ^ letter) == ' ') {
                count++;
            }
        }
        return count;
    }
}
