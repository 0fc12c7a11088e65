import java.util.BitSet;

/** The product ab of the polynomial n^2 + an + b that is prime for the most n = 0, 1, 2, ... */
public class PrimePolynomial {
    private static final int LIMIT = 1000;
    /**
     * At n = b the value is divisible by b, and it is not b itself: no run goes on from there. So n stays at
     * or below 1000, and no value is above this one.
     */
    private static final int LARGEST = 2 * LIMIT * LIMIT + LIMIT;

    public static void main(String[] args) {
        BitSet primes = primesUpTo(LARGEST);
        int longest = 0;
        int product = 0;
        for (int b = 2; b <= LIMIT; b = primes.nextSetBit(b + 1)) { // the value at n = 0
            for (int a = -LIMIT + 1; a < LIMIT; a++) {
                int n = 0;
                while (n * (n + a) + b > 0 && primes.get(n * (n + a) + b)) {
                    n++;
                }
                if (n > longest) {
                    longest = n;
                    product = a * b;
                }
            }
        }
        System.out.println(product);
    }

    private static BitSet primesUpTo(int largest) {
        BitSet primes = new BitSet(largest + 1);
        primes.set(2, largest + 1);
        for (int n = 2; n * n <= largest; n = primes.nextSetBit(n + 1)) {
            for (int multiple = n * n; multiple <= largest; multiple += n) {
                primes.clear(multiple);
            }
        }
        return primes;
    }
}
