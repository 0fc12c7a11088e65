import java.util.BitSet;
import java.util.stream.IntStream;

public class Main {
    static final int LIMIT = 50_000_000;

    public static void main(String[] args) {
        int[] primes = IntStream.rangeClosed(2, (int) Math.sqrt(LIMIT)).filter(Main::isPrime).toArray();
        BitSet reached = new BitSet(LIMIT);
        for (long r : primes) {
            for (long q : primes) {
                long start = r * r * r * r + q * q * q;
                if (start >= LIMIT) {
                    break;
                }
                for (long p : primes) {
                    long total = start + p * p;
                    if (total >= LIMIT) {
                        break;
                    }
                    reached.set((int) total);
                }
            }
        }
        System.out.println(reached.cardinality());
    }

    static boolean isPrime(int n) {
        for (int divisor = 2; divisor * divisor <= n; divisor++) {
            if (n % divisor == 0) {
                return false;
            }
        }
        return n > 1;
    }
}
