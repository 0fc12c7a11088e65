/** The 10001st prime: each candidate is divided by the primes up to its square root. */
public class NthPrime {
    private static final int POSITION = 10_001;

    public static void main(String[] args) {
        int[] primes = new int[POSITION];
        primes[0] = 2;
        int found = 1;
        for (int candidate = 3; found < POSITION; candidate += 2) {
            if (isPrime(candidate, primes)) {
                primes[found++] = candidate;
            }
        }
        System.out.println(primes[POSITION - 1]);
    }

    /** `primes` holds all primes below the candidate, in order. */
    private static boolean isPrime(int candidate, int[] primes) {
        for (int i = 0; primes[i] * primes[i] <= candidate; i++) {
            if (candidate % primes[i] == 0) {
                return false;
            }
        }
        return true;
    }
}
