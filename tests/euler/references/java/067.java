import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

public class MaximumPathSum {
    public static void main(String[] args) throws IOException {
        List<int[]> rows = Files.readAllLines(Path.of("triangle.txt")).stream()
                .filter(line -> !line.isBlank()).map(MaximumPathSum::numbers).toList();
        // From the bottom up: the best total from each place downwards.
        int[] best = new int[rows.size() + 1];
        for (int k = rows.size() - 1; k >= 0; k--) {
            int[] row = rows.get(k);
            for (int i = 0; i < row.length; i++) {
                best[i] = row[i] + Math.max(best[i], best[i + 1]);
            }
        }
        System.out.println(best[0]);
    }

    private static int[] numbers(String line) {
        return Arrays.stream(line.strip().split(" ")).mapToInt(Integer::parseInt).toArray();
    }
}
