public class PentagonalPairs {
    public static void main(String[] args) {
        int d = 1;
        while (!isDifferenceOfAPair(pentagonal(d))) { // in growing order, so the first is the smallest
            d++;
        }
        System.out.println(pentagonal(d));
    }

    /**
     * Whether some pentagonal(j) plus the difference is a pentagonal(k), and their sum pentagonal too.
     * With step = k - j the first says: 2 * difference = step * (3 * (2j + step) - 1).
     */
    private static boolean isDifferenceOfAPair(long difference) {
        for (long step = 1; step * (3 * (2 + step) - 1) <= 2 * difference; step++) {
            if (2 * difference % step != 0) {
                continue;
            }
            long factor = 2 * difference / step + 1;
            if (factor % 3 == 0 && (factor / 3 - step) % 2 == 0) {
                long j = (factor / 3 - step) / 2;
                if (isPentagonal(2 * pentagonal(j) + difference)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static long pentagonal(long n) {
        return n * (3 * n - 1) / 2;
    }

    /** p = n(3n-1)/2 exactly when 24p + 1 is the square of 6n - 1. */
    private static boolean isPentagonal(long p) {
        long root = Math.round(Math.sqrt(24 * p + 1));
        return root * root == 24 * p + 1 && root % 6 == 5;
    }
}
