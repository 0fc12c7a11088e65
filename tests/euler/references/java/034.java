import java.util.stream.IntStream;

/** The sum of all numbers of at least two digits that equal the sum of their digits' factorials. */
public class DigitFactorials {
    private static final int[] FACTORIALS = {1, 1, 2, 6, 24, 120, 720, 5040, 40_320, 362_880};
    /** Eight digits give 8 * 9! = 2903040 at most, which has seven: no number has more than seven digits. */
    private static final int LIMIT = 7 * FACTORIALS[9];

    private static int digitFactorialSum(int number) {
        int sum = 0;
        for (int rest = number; rest > 0; rest /= 10) {
            sum += FACTORIALS[rest % 10];
        }
        return sum;
    }

    public static void main(String[] args) {
        System.out.println(IntStream.rangeClosed(10, LIMIT).filter(n -> digitFactorialSum(n) == n).sum());
    }
}
