public class Main {
    static final int SIZE = 50;

    public static void main(String[] args) {
        int count = 0;
        int points = (SIZE + 1) * (SIZE + 1);
        for (int p = 1; p < points; p++) {
            for (int q = p + 1; q < points; q++) {
                if (isRight(p / (SIZE + 1), p % (SIZE + 1), q / (SIZE + 1), q % (SIZE + 1))) {
                    count++;
                }
            }
        }
        System.out.println(count);
    }

    /** Two sides at right angles have the scalar product zero. */
    static boolean isRight(int x1, int y1, int x2, int y2) {
        return x1 * x2 + y1 * y2 == 0
                || x1 * (x2 - x1) + y1 * (y2 - y1) == 0
                || x2 * (x1 - x2) + y2 * (y1 - y2) == 0;
    }
}
