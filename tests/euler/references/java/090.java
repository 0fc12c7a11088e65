import java.util.stream.IntStream;

public class Main {
    static final int[][] SQUARES = {{0, 1}, {0, 4}, {0, 9}, {1, 6}, {2, 5}, {3, 6}, {4, 9}, {6, 4}, {8, 1}};

    public static void main(String[] args) {
        // A cube is a set of digits: one bit for each.
        int[] cubes = IntStream.range(0, 1 << 10).filter(cube -> Integer.bitCount(cube) == 6).toArray();
        int count = 0;
        for (int left = 0; left < cubes.length; left++) {
            for (int right = left; right < cubes.length; right++) {
                if (showsAll(cubes[left], cubes[right])) {
                    count++;
                }
            }
        }
        System.out.println(count);
    }

    static boolean showsAll(int left, int right) {
        for (int[] square : SQUARES) {
            boolean inOrder = has(left, square[0]) && has(right, square[1]);
            boolean exchanged = has(left, square[1]) && has(right, square[0]);
            if (!inOrder && !exchanged) {
                return false;
            }
        }
        return true;
    }

    static boolean has(int cube, int digit) {
        int wanted = digit == 6 || digit == 9 ? 1 << 6 | 1 << 9 : 1 << digit;
        return (cube & wanted) != 0;
    }
}
