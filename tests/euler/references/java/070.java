public class Main {
    static final int LIMIT = 10_000_000;

    public static void main(String[] args) {
        int[] phi = new int[LIMIT];
        for (int n = 0; n < LIMIT; n++) {
            phi[n] = n;
        }
        for (int p = 2; p < LIMIT; p++) {
            if (phi[p] == p) { // untouched so far: a prime
                for (int multiple = p; multiple < LIMIT; multiple += p) {
                    phi[multiple] -= phi[multiple] / p;
                }
            }
        }
        int best = 0;
        for (int n = 2; n < LIMIT; n++) {
            boolean smaller = best == 0 || (long) n * phi[best] < (long) best * phi[n];
            if (smaller && digits(n) == digits(phi[n])) {
                best = n;
            }
        }
        System.out.println(best);
    }

    /** How often each digit occurs, four bits for each. */
    static long digits(int n) {
        long counts = 0;
        for (; n > 0; n /= 10) {
            counts += 1L << 4 * (n % 10);
        }
        return counts;
    }
}
