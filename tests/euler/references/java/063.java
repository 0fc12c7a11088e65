import java.math.BigInteger;

public class PowerfulDigitCounts {
    public static void main(String[] args) {
        // 10^n has n + 1 digits, so a is at most 9; and 9^n has fewer than n digits from n = 22 on.
        int found = 0;
        for (int n = 1; digits(9, n) == n; n++) {
            for (int a = 1; a <= 9; a++) {
                if (digits(a, n) == n) {
                    found++;
                }
            }
        }
        System.out.println(found);
    }

    private static int digits(int a, int n) {
        return BigInteger.valueOf(a).pow(n).toString().length();
    }
}
