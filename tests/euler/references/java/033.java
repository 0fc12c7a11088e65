import java.math.BigInteger;

/** The denominator, in lowest terms, of the product of the fractions that a false cancelling leaves right. */
public class DigitCancelling {
    public static void main(String[] args) {
        BigInteger above = BigInteger.ONE;
        BigInteger below = BigInteger.ONE;
        for (int numerator = 10; numerator < 100; numerator++) {
            for (int denominator = numerator + 1; denominator < 100; denominator++) {
                if (qualifies(numerator, denominator)) {
                    above = above.multiply(BigInteger.valueOf(numerator));
                    below = below.multiply(BigInteger.valueOf(denominator));
                }
            }
        }
        System.out.println(below.divide(above.gcd(below)));
    }

    /** Whether the value stays the same when a common digit other than 0 is struck out. */
    private static boolean qualifies(int numerator, int denominator) {
        int[] above = {numerator / 10, numerator % 10};
        int[] below = {denominator / 10, denominator % 10};
        for (int i = 0; i < 2; i++) {
            for (int j = 0; j < 2; j++) {
                boolean common = above[i] == below[j] && above[i] != 0;
                int restAbove = above[1 - i];
                int restBelow = below[1 - j];
                if (common && restBelow != 0 && numerator * restBelow == denominator * restAbove) {
                    return true;
                }
            }
        }
        return false;
    }
}
