public class Main {
    static final int LIMIT = 1_000_000;

    public static void main(String[] args) {
        // For each denominator b there are phi(b) numerators.
        int[] phi = new int[LIMIT + 1];
        for (int n = 0; n <= LIMIT; n++) {
            phi[n] = n;
        }
        long count = 0;
        for (int b = 2; b <= LIMIT; b++) {
            if (phi[b] == b) { // untouched so far: a prime
                for (int multiple = b; multiple <= LIMIT; multiple += b) {
                    phi[multiple] -= phi[multiple] / b;
                }
            }
            count += phi[b];
        }
        System.out.println(count);
    }
}
