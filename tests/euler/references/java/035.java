public class CircularPrimes {
    private static final int LIMIT = 1_000_000;
    private static final boolean[] COMPOSITE = compositesBelow(LIMIT);

    public static void main(String[] args) {
        int circular = 0;
        for (int n = 2; n < LIMIT; n++) {
            if (isCircular(n)) {
                circular++;
            }
        }
        System.out.println(circular);
    }

    private static boolean isCircular(int n) {
        int highest = 1;
        while (highest * 10 <= n) {
            highest *= 10;
        }
        int rotated = n;
        do {
            if (COMPOSITE[rotated]) {
                return false;
            }
            rotated = rotated % highest * 10 + rotated / highest;
        } while (rotated != n);
        return true;
    }

    /** Marks 0, 1 and every composite number below the limit. */
    private static boolean[] compositesBelow(int limit) {
        boolean[] composite = new boolean[limit];
        composite[0] = composite[1] = true;
        for (int n = 2; n * n < limit; n++) {
            for (int multiple = n * n; !composite[n] && multiple < limit; multiple += n) {
                composite[multiple] = true;
            }
        }
        return composite;
    }
}
