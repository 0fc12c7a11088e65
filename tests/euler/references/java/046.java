public class PrimeAndTwiceASquare {
    public static void main(String[] args) {
        int n = 9;
        while (isPrime(n) || isPrimeAndTwiceASquare(n)) {
            n += 2;
        }
        System.out.println(n);
    }

    private static boolean isPrimeAndTwiceASquare(int n) {
        for (int i = 1; 2 * i * i < n; i++) {
            if (isPrime(n - 2 * i * i)) {
                return true;
            }
        }
        return false;
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
