public class DoubleBasePalindromes {
    public static void main(String[] args) {
        long sum = 0;
        for (int n = 1; n < 1_000_000; n++) {
            if (reversed(n, 10) == n && reversed(n, 2) == n) {
                sum += n;
            }
        }
        System.out.println(sum);
    }

    private static int reversed(int n, int base) {
        int result = 0;
        for (int rest = n; rest > 0; rest /= base) {
            result = result * base + rest % base;
        }
        return result;
    }
}
