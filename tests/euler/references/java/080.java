import java.math.BigInteger;

public class Main {
    static final int DIGITS = 100;

    public static void main(String[] args) {
        // One digit stands before the point: shift the other 99 in front of it as well.
        BigInteger shift = BigInteger.TEN.pow(2 * (DIGITS - 1));
        int total = 0;
        for (int n = 1; n <= 100; n++) {
            int root = (int) Math.round(Math.sqrt(n));
            if (root * root != n) {
                BigInteger digits = BigInteger.valueOf(n).multiply(shift).sqrt();
                total += digits.toString().chars().map(digit -> digit - '0').sum();
            }
        }
        System.out.println(total);
    }
}
