public class Main {
    static final long LIMIT = 1_000_000_000_000L;

    public static void main(String[] args) {
        // b blue discs of n: 2b(b - 1) = n(n - 1), or with x = 2n - 1 and y = 2b - 1: x^2 - 2y^2 = -1. This
        // Pell equation has its solutions from (1, 1) by (x, y) -> (3x + 4y, 2x + 3y); x and y stay odd.
        long x = 1;
        long y = 1;
        while ((x + 1) / 2 <= LIMIT) {
            long nextX = 3 * x + 4 * y;
            y = 2 * x + 3 * y;
            x = nextX;
        }
        System.out.println((y + 1) / 2);
    }
}
