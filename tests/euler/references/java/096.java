import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

public class Main {
    /** Digits used already in each row, column and box: bit d for the digit d. */
    final int[] rows = new int[9];
    final int[] columns = new int[9];
    final int[] boxes = new int[9];
    final int[][] grid = new int[9][9];

    public static void main(String[] args) throws IOException {
        List<String> lines;
        try (var all = Files.lines(Path.of("sudoku.txt"))) {
            lines = all.map(String::strip).filter(line -> !line.isEmpty()).toList();
        }
        int total = 0;
        for (int heading = 0; heading < lines.size(); heading += 10) {
            Main puzzle = new Main(lines.subList(heading + 1, heading + 10));
            puzzle.solve();
            total += 100 * puzzle.grid[0][0] + 10 * puzzle.grid[0][1] + puzzle.grid[0][2];
        }
        System.out.println(total);
    }

    Main(List<String> lines) {
        for (int row = 0; row < 9; row++) {
            for (int column = 0; column < 9; column++) {
                int digit = lines.get(row).charAt(column) - '0';
                if (digit > 0) {
                    put(row, column, digit);
                }
            }
        }
    }

    /** Fill the empty cell that has the fewest choices, then the rest. False if there is no way. */
    boolean solve() {
        int bestRow = -1;
        int bestColumn = -1;
        int fewest = 10;
        for (int row = 0; row < 9; row++) {
            for (int column = 0; column < 9; column++) {
                int choices = 9 - Integer.bitCount(used(row, column));
                if (grid[row][column] == 0 && choices < fewest) {
                    fewest = choices;
                    bestRow = row;
                    bestColumn = column;
                }
            }
        }
        if (bestRow < 0) {
            return true;
        }
        for (int digit = 1; digit <= 9; digit++) {
            if ((used(bestRow, bestColumn) & 1 << digit) == 0) {
                put(bestRow, bestColumn, digit);
                if (solve()) {
                    return true;
                }
                remove(bestRow, bestColumn);
            }
        }
        return false;
    }

    int used(int row, int column) {
        return rows[row] | columns[column] | boxes[row / 3 * 3 + column / 3];
    }

    void put(int row, int column, int digit) {
        grid[row][column] = digit;
        toggle(row, column, digit);
    }

    void remove(int row, int column) {
        toggle(row, column, grid[row][column]);
        grid[row][column] = 0;
    }

    void toggle(int row, int column, int digit) {
        rows[row] ^= 1 << digit;
        columns[column] ^= 1 << digit;
        boxes[row / 3 * 3 + column / 3] ^= 1 << digit;
    }
}
