import java.util.BitSet;

public class ConsecutivePrimeSum {
    private static final int LIMIT = 1_000_000;

    public static void main(String[] args) {
        BitSet primes = primesBelow(LIMIT);
        int[] list = primes.stream().toArray();
        int longest = 0;
        int best = 0;
        for (int start = 0; start < list.length; start++) {
            long sum = 0;
            for (int end = start; end < list.length; end++) {
                sum += list[end];
                if (sum >= LIMIT) {
                    break;
                }
                int terms = end - start + 1;
                if (terms > longest && primes.get((int) sum)) {
                    longest = terms;
                    best = (int) sum;
                }
            }
        }
        System.out.println(best);
    }

    private static BitSet primesBelow(int limit) {
        BitSet primes = new BitSet(limit);
        primes.set(2, limit);
        for (int n = 2; n * n < limit; n++) {
            for (int multiple = n * n; primes.get(n) && multiple < limit; multiple += n) {
                primes.clear(multiple);
            }
        }
        return primes;
    }
}
