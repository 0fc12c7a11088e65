public class Main {
    static final int LIMIT = 1_000_000;

    public static void main(String[] args) {
        int[] phi = new int[LIMIT + 1];
        for (int n = 0; n <= LIMIT; n++) {
            phi[n] = n;
        }
        for (int p = 2; p <= LIMIT; p++) {
            if (phi[p] == p) { // untouched so far: a prime
                for (int multiple = p; multiple <= LIMIT; multiple += p) {
                    phi[multiple] -= phi[multiple] / p;
                }
            }
        }
        int best = 2;
        for (int n = 3; n <= LIMIT; n++) {
            if ((long) n * phi[best] > (long) best * phi[n]) {
                best = n;
            }
        }
        System.out.println(best);
    }
}
