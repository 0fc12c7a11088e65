import java.math.BigInteger;

public class ConvergentsOfE {
    public static void main(String[] args) {
        // The numerators follow h(i) = term(i) * h(i-1) + h(i-2), and are in lowest terms.
        BigInteger before = BigInteger.ONE;
        BigInteger numerator = BigInteger.TWO;
        for (int i = 1; i < 100; i++) {
            BigInteger next = numerator.multiply(BigInteger.valueOf(term(i))).add(before);
            before = numerator;
            numerator = next;
        }
        System.out.println(numerator.toString().chars().map(digit -> digit - '0').sum());
    }

    /** The terms after the 2 at the front, from i = 1: 1, 2, 1, 1, 4, 1, 1, 6, 1, ... */
    private static int term(int i) {
        return i % 3 == 2 ? 2 * (i + 1) / 3 : 1;
    }
}
