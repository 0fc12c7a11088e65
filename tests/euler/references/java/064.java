public class OddPeriodSquareRoots {
    public static void main(String[] args) {
        int odd = 0;
        for (int n = 1; n <= 10_000; n++) {
            if (period(n) % 2 == 1) {
                odd++;
            }
        }
        System.out.println(odd);
    }

    /**
     * The length of the repeating block of the continued fraction of sqrt(n); 0 for a square. Each
     * remainder is (sqrt(n) + m) / d; the block ends with the term 2 * floor(sqrt(n)).
     */
    private static int period(int n) {
        int root = (int) Math.sqrt(n);
        if (root * root == n) {
            return 0;
        }
        int m = 0;
        int d = 1;
        int term = root;
        int length = 0;
        while (term != 2 * root) {
            m = d * term - m;
            d = (n - m * m) / d;
            term = (root + m) / d;
            length++;
        }
        return length;
    }
}
