import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

public class Main {
    public static void main(String[] args) throws IOException {
        List<String> logins;
        try (var lines = Files.lines(Path.of("keylog.txt"))) {
            logins = lines.map(String::strip).filter(line -> !line.isEmpty()).distinct().toList();
        }
        String secret = null;
        for (int length = 1; secret == null; length++) {
            secret = complete(logins, length);
        }
        System.out.println(secret);
    }

    /** A sequence of at most `length` digits that has each of `rests` as a subsequence, or null. */
    static String complete(List<String> rests, int length) {
        if (rests.isEmpty()) {
            return "";
        }
        // Each digit that is still wanted takes at least one place.
        if (rests.stream().flatMapToInt(String::chars).distinct().count() > length) {
            return null;
        }
        for (char digit : rests.stream().map(rest -> rest.charAt(0)).collect(Collectors.toSet())) {
            List<String> after = rests.stream()
                    .map(rest -> rest.charAt(0) == digit ? rest.substring(1) : rest)
                    .filter(rest -> !rest.isEmpty())
                    .toList();
            String end = complete(after, length - 1);
            if (end != null) {
                return digit + end;
            }
        }
        return null;
    }
}
