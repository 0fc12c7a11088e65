import java.math.BigInteger;

/** The index of the first Fibonacci number of 1000 digits. */
public class LongFibonacci {
    /** The smallest number of 1000 digits. */
    private static final BigInteger SMALLEST = BigInteger.TEN.pow(999);

    public static void main(String[] args) {
        int index = 1;
        BigInteger term = BigInteger.ONE;
        BigInteger following = BigInteger.ONE;
        while (term.compareTo(SMALLEST) < 0) {
            BigInteger sum = term.add(following);
            term = following;
            following = sum;
            index++;
        }
        System.out.println(index);
    }
}
