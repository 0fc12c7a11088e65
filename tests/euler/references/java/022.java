import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** The sum of the scores of the names in names.txt: letters' values times alphabetical position. */
public class NameScores {
    public static void main(String[] args) throws IOException {
        String text = Files.readString(Path.of("names.txt")).strip();
        String[] names = text.replace("\"", "").split(",");
        Arrays.sort(names);
        long total = 0;
        for (int i = 0; i < names.length; i++) {
            total += (i + 1L) * value(names[i]);
        }
        System.out.println(total);
    }

    private static int value(String name) {
        return name.chars().map(letter -> letter - 'A' + 1).sum();
    }
}
