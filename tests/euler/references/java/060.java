import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

public class PrimePairSets {
    private static final int WANTED = 5;
    private static final int[] SMALL_PRIMES = {
        2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61
    };

    /** For each prime seen so far: the smaller ones that fit it. */
    private final Map<Integer, Set<Integer>> partners = new HashMap<>();
    private int best = Integer.MAX_VALUE;

    public static void main(String[] args) {
        System.out.println(new PrimePairSets().smallestSum());
    }

    /** Takes every prime as the largest of the five, until it alone is as large as the best sum. */
    private int smallestSum() {
        List<Integer> primes = new ArrayList<>();
        for (int p = 3; p < best; p += 2) {
            if (isPrime(p)) {
                List<Integer> fitting = new ArrayList<>();
                for (int q : primes) {
                    if (q < best - p && fits(q, p)) {
                        fitting.add(q);
                    }
                }
                partners.put(p, new HashSet<>(fitting));
                choose(p, fitting, WANTED - 1);
                primes.add(p);
            }
        }
        return best;
    }

    /** Adds `wanted` more of the candidates, which grow and all fit what is chosen, the largest first. */
    private void choose(int sum, List<Integer> candidates, int wanted) {
        if (wanted == 0) {
            best = Math.min(best, sum);
            return;
        }
        for (int i = wanted - 1; i < candidates.size() && sum + candidates.get(i) < best; i++) {
            int p = candidates.get(i);
            List<Integer> fitting = new ArrayList<>(candidates.subList(0, i));
            fitting.retainAll(partners.get(p));
            choose(sum + p, fitting, wanted - 1);
        }
    }

    private static boolean fits(int a, int b) {
        // written one behind the other, a and b have the remainder of a + b modulo 3
        return (a + b) % 3 != 0 && isPrime(joined(a, b)) && isPrime(joined(b, a));
    }

    private static long joined(int a, int b) {
        long shift = 10;
        while (shift <= b) {
            shift *= 10;
        }
        return a * shift + b;
    }

    /** Miller and Rabin's test; the bases 2, 7 and 61 leave no doubt below 4 759 123 141. */
    private static boolean isPrime(long n) {
        for (int p : SMALL_PRIMES) {
            if (n % p == 0) {
                return n == p;
            }
        }
        return n > 1 && passes(n, 2) && passes(n, 7) && passes(n, 61);
    }

    private static boolean passes(long n, long base) {
        int twos = Long.numberOfTrailingZeros(n - 1);
        long x = power(base, n - 1 >> twos, n);
        if (x == 1 || x == n - 1) {
            return true;
        }
        for (int i = 1; i < twos; i++) {
            x = x * x % n;
            if (x == n - 1) {
                return true;
            }
        }
        return false;
    }

    private static long power(long base, long exponent, long modulus) {
        long result = 1;
        long square = base % modulus;
        for (long rest = exponent; rest > 0; rest >>= 1) {
            if ((rest & 1) == 1) {
                result = result * square % modulus;
            }
            square = square * square % modulus;
        }
        return result;
    }
}
