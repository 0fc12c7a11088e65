import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.PriorityQueue;

public class Main {
    record Visit(long sum, int row, int column) {}

    static final int[][] DIRECTIONS = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};

    public static void main(String[] args) throws IOException {
        int[][] matrix = read(Path.of("matrix.txt"));
        int size = matrix.length;

        // Dijkstra: cells leave the queue in the order of their smallest sums.
        PriorityQueue<Visit> queue = new PriorityQueue<>(Comparator.comparingLong(Visit::sum));
        boolean[][] done = new boolean[size][size];
        queue.add(new Visit(matrix[0][0], 0, 0));
        while (true) {
            Visit visit = queue.remove();
            if (visit.row == size - 1 && visit.column == size - 1) {
                System.out.println(visit.sum);
                return;
            }
            if (done[visit.row][visit.column]) {
                continue;
            }
            done[visit.row][visit.column] = true;
            for (int[] direction : DIRECTIONS) {
                int row = visit.row + direction[0];
                int column = visit.column + direction[1];
                if (row >= 0 && row < size && column >= 0 && column < size && !done[row][column]) {
                    queue.add(new Visit(visit.sum + matrix[row][column], row, column));
                }
            }
        }
    }

    static int[][] read(Path path) throws IOException {
        try (var lines = Files.lines(path)) {
            return lines.filter(line -> !line.isBlank())
                    .map(line -> Arrays.stream(line.strip().split(",")).mapToInt(Integer::parseInt).toArray())
                    .toArray(int[][]::new);
        }
    }
}
