import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

public class Main {
    public static void main(String[] args) throws IOException {
        int[][] matrix = read(Path.of("matrix.txt"));
        int size = matrix.length;
        long[] best = new long[size]; // the smallest sums that come in from the column on the left
        for (int column = 0; column < size; column++) {
            for (int row = 0; row < size; row++) {
                best[row] += matrix[row][column];
            }
            for (int row = 1; row < size; row++) {
                best[row] = Math.min(best[row], best[row - 1] + matrix[row][column]);
            }
            for (int row = size - 2; row >= 0; row--) {
                best[row] = Math.min(best[row], best[row + 1] + matrix[row][column]);
            }
        }
        System.out.println(Arrays.stream(best).min().getAsLong());
    }

    static int[][] read(Path path) throws IOException {
        try (var lines = Files.lines(path)) {
            return lines.filter(line -> !line.isBlank())
                    .map(line -> Arrays.stream(line.strip().split(",")).mapToInt(Integer::parseInt).toArray())
                    .toArray(int[][]::new);
        }
    }
}
