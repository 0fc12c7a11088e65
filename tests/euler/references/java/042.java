import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

public class TriangleWords {
    public static void main(String[] args) throws IOException {
        String[] words = Files.readString(Path.of("words.txt")).strip().replace("\"", "").split(",");
        System.out.println(Arrays.stream(words).filter(word -> isTriangleNumber(value(word))).count());
    }

    private static int value(String word) {
        return word.chars().map(letter -> letter - 'A' + 1).sum();
    }

    private static boolean isTriangleNumber(int value) {
        int triangle = 0;
        for (int n = 1; triangle < value; n++) {
            triangle += n;
        }
        return triangle == value;
    }
}
