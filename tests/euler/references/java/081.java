import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

public class Main {
    public static void main(String[] args) throws IOException {
        int[][] matrix = read(Path.of("matrix.txt"));
        long[] best = new long[matrix.length]; // the smallest sums that come in from the row above
        Arrays.fill(best, Long.MAX_VALUE);
        best[0] = 0;
        for (int[] row : matrix) {
            best[0] += row[0];
            for (int column = 1; column < row.length; column++) {
                best[column] = Math.min(best[column - 1], best[column]) + row[column];
            }
        }
        System.out.println(best[best.length - 1]);
    }

    static int[][] read(Path path) throws IOException {
        try (var lines = Files.lines(path)) {
            return lines.filter(line -> !line.isBlank())
                    .map(line -> Arrays.stream(line.strip().split(",")).mapToInt(Integer::parseInt).toArray())
                    .toArray(int[][]::new);
        }
    }
}
