public class Main {
    static final int LIMIT = 1_500_000;

    public static void main(String[] args) {
        // Euclid: for coprime m > n > 0 of different parity, the primitive triangle has perimeter 2m(m + n).
        int[] ways = new int[LIMIT + 1];
        for (int m = 2; 2 * m * (m + 1) <= LIMIT; m++) {
            for (int n = 1 + m % 2; n < m; n += 2) {
                int primitive = 2 * m * (m + n);
                if (gcd(m, n) == 1) {
                    for (int perimeter = primitive; perimeter <= LIMIT; perimeter += primitive) {
                        ways[perimeter]++;
                    }
                }
            }
        }
        int count = 0;
        for (int number : ways) {
            if (number == 1) {
                count++;
            }
        }
        System.out.println(count);
    }

    static int gcd(int a, int b) {
        return b == 0 ? a : gcd(b, a % b);
    }
}
