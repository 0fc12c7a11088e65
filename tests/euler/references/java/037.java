public class TruncatablePrimes {
    private static long sum = 0;

    public static void main(String[] args) {
        for (int p : new int[] {2, 3, 5, 7}) {
            extend(p);
        }
        System.out.println(sum);
    }

    /** Numbers whose digits can be struck off at the right grow from such primes, digit by digit. */
    private static void extend(int prime) {
        for (int digit : new int[] {1, 3, 7, 9}) {
            int longer = 10 * prime + digit;
            if (isPrime(longer)) {
                if (survivesFromTheLeft(longer)) {
                    sum += longer;
                }
                extend(longer);
            }
        }
    }

    private static boolean survivesFromTheLeft(int n) {
        for (int power = 10; power < n; power *= 10) {
            if (!isPrime(n % power)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isPrime(int n) {
        if (n < 2) {
            return false;
        }
        for (int d = 2; d * d <= n; d++) {
            if (n % d == 0) {
                return false;
            }
        }
        return true;
    }
}
