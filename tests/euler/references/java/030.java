import java.util.stream.IntStream;

/** The sum of all numbers of at least two digits that equal the sum of their digits' fifth powers. */
public class DigitPowers {
    private static final int[] POWERS =
            IntStream.range(0, 10).map(digit -> (int) Math.pow(digit, 5)).toArray();
    /** Seven digits give 7 * 9^5 = 413343 at most, which has six: no number has more than six digits. */
    private static final int LIMIT = 6 * POWERS[9];

    private static int digitPowerSum(int number) {
        int sum = 0;
        for (int rest = number; rest > 0; rest /= 10) {
            sum += POWERS[rest % 10];
        }
        return sum;
    }

    public static void main(String[] args) {
        System.out.println(IntStream.rangeClosed(10, LIMIT).filter(n -> digitPowerSum(n) == n).sum());
    }
}
