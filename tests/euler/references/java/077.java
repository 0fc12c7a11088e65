public class Main {
    static final int WANTED = 5000;

    public static void main(String[] args) {
        int limit = 10;
        int answer = firstWithMoreWays(limit);
        while (answer < 0) {
            limit *= 2;
            answer = firstWithMoreWays(limit);
        }
        System.out.println(answer);
    }

    /** The smallest number up to `limit` that is a sum of primes in more than WANTED ways, or -1. */
    static int firstWithMoreWays(int limit) {
        long[] ways = new long[limit + 1];
        ways[0] = 1;
        for (int p = 2; p <= limit; p++) {
            if (isPrime(p)) {
                for (int n = p; n <= limit; n++) {
                    ways[n] += ways[n - p];
                }
            }
        }
        for (int n = 1; n <= limit; n++) {
            if (ways[n] > WANTED) {
                return n;
            }
        }
        return -1;
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
