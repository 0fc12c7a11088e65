import java.util.Arrays;

/** The d below 1000 whose reciprocal repeats the longest block, by long division. */
public class RepeatingBlocks {
    private static final int LIMIT = 1000;

    private static int blockLength(int divisor) {
        int[] steps = new int[divisor]; // remainder -> step at which it came up, -1 before
        Arrays.fill(steps, -1);
        int remainder = 1;
        for (int step = 0; remainder != 0; step++) {
            if (steps[remainder] >= 0) {
                return step - steps[remainder];
            }
            steps[remainder] = step;
            remainder = remainder * 10 % divisor;
        }
        return 0;
    }

    public static void main(String[] args) {
        int longest = 2;
        for (int divisor = 3; divisor < LIMIT; divisor++) {
            if (blockLength(divisor) > blockLength(longest)) {
                longest = divisor;
            }
        }
        System.out.println(longest);
    }
}
