import java.util.BitSet;

/** The sum of all primes below two million, by the sieve of Eratosthenes. */
public class PrimeSum {
    private static final int LIMIT = 2_000_000;

    public static void main(String[] args) {
        BitSet primes = new BitSet(LIMIT);
        primes.set(2, LIMIT);
        for (int n = 2; n * n < LIMIT; n = primes.nextSetBit(n + 1)) {
            for (int multiple = n * n; multiple < LIMIT; multiple += n) {
                primes.clear(multiple);
            }
        }
        System.out.println(primes.stream().asLongStream().sum());
    }
}
