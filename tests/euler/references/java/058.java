public class SpiralPrimes {
    public static void main(String[] args) {
        int side = 1;
        int corner = 1;
        int primes = 0;
        do {
            side += 2;
            for (int i = 0; i < 4; i++) {
                corner += side - 1;
                if (isPrime(corner)) {
                    primes++;
                }
            }
        } while (10 * primes >= 2 * side - 1);
        System.out.println(side);
    }

    private static boolean isPrime(int n) {
        if (n < 4) {
            return n > 1;
        }
        if (n % 2 == 0 || n % 3 == 0) {
            return false;
        }
        for (int d = 5; d * d <= n; d += 6) {
            if (n % d == 0 || n % (d + 2) == 0) {
                return false;
            }
        }
        return true;
    }
}
