/** The sum of the positive integers that are not a sum of two abundant numbers. */
public class NonAbundantSums {
    /** All integers above it are such sums. */
    private static final int LIMIT = 28_123;

    public static void main(String[] args) {
        boolean[] abundant = abundantNumbers();
        long total = 0;
        for (int n = 1; n <= LIMIT; n++) {
            if (!isSum(n, abundant)) {
                total += n;
            }
        }
        System.out.println(total);
    }

    private static boolean[] abundantNumbers() {
        int[] divisorSums = new int[LIMIT + 1];
        for (int divisor = 1; divisor <= LIMIT / 2; divisor++) {
            for (int multiple = 2 * divisor; multiple <= LIMIT; multiple += divisor) {
                divisorSums[multiple] += divisor;
            }
        }
        boolean[] abundant = new boolean[LIMIT + 1];
        for (int n = 1; n <= LIMIT; n++) {
            abundant[n] = divisorSums[n] > n;
        }
        return abundant;
    }

    private static boolean isSum(int number, boolean[] abundant) {
        for (int smaller = 1; smaller <= number / 2; smaller++) {
            if (abundant[smaller] && abundant[number - smaller]) {
                return true;
            }
        }
        return false;
    }
}
