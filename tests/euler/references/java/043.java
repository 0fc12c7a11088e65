public class SubstringDivisibility {
    private static final int[] DIVISORS = {2, 3, 5, 7, 11, 13, 17};

    public static void main(String[] args) {
        System.out.println(sum(0, 0, 0));
    }

    /** Sum of all numbers that go on after `prefix`; `used` is the bit set of its `length` digits. */
    private static long sum(long prefix, int length, int used) {
        if (length == 10) {
            return prefix;
        }
        long total = 0;
        for (int digit = length == 0 ? 1 : 0; digit <= 9; digit++) {
            long longer = 10 * prefix + digit;
            boolean divides = length < 3 || longer % 1000 % DIVISORS[length - 3] == 0;
            if ((used & 1 << digit) == 0 && divides) {
                total += sum(longer, length + 1, used | 1 << digit);
            }
        }
        return total;
    }
}
