public class PandigitalPrime {
    public static void main(String[] args) {
        long best = 0;
        for (int length = 9; length >= 1 && best == 0; length--) {
            best = largestPrime(0, length, 0);
        }
        System.out.println(best);
    }

    /**
     * The largest prime that goes on after `prefix` with the digits 1 to `length` that are not in the bit
     * set `used`; 0 if there is none.
     */
    private static long largestPrime(long prefix, int length, int used) {
        if (Integer.bitCount(used) == length) {
            return isPrime(prefix) ? prefix : 0;
        }
        for (int digit = length; digit >= 1; digit--) {
            if ((used & 1 << digit) == 0) {
                long found = largestPrime(10 * prefix + digit, length, used | 1 << digit);
                if (found > 0) {
                    return found;
                }
            }
        }
        return 0;
    }

    private static boolean isPrime(long n) {
        if (n < 2) {
            return false;
        }
        for (long d = 2; d * d <= n; d++) {
            if (n % d == 0) {
                return false;
            }
        }
        return true;
    }
}
