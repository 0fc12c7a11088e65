import java.util.Arrays;

public class PrimePermutations {
    public static void main(String[] args) {
        for (int a = 1000; a < 10_000; a++) {
            for (int step = 1; a + 2 * step < 10_000; step++) {
                int b = a + step;
                int c = b + step;
                boolean primes = isPrime(a) && isPrime(b) && isPrime(c);
                if (a != 1487 && primes && sameDigits(a, b) && sameDigits(a, c)) {
                    System.out.println("" + a + b + c);
                }
            }
        }
    }

    private static boolean sameDigits(int a, int b) {
        return (a - b) % 9 == 0 && Arrays.equals(sortedDigits(a), sortedDigits(b));
    }

    private static char[] sortedDigits(int n) {
        char[] digits = Integer.toString(n).toCharArray();
        Arrays.sort(digits);
        return digits;
    }

    private static boolean isPrime(int n) {
        for (int d = 2; d * d <= n; d++) {
            if (n % d == 0) {
                return false;
            }
        }
        return true;
    }
}
