import java.util.stream.LongStream;

/** The smallest number that each of 1 to 20 divides. */
public class SmallestMultiple {
    private static long gcd(long a, long b) {
        return b == 0 ? a : gcd(b, a % b);
    }

    private static long lcm(long a, long b) {
        return a / gcd(a, b) * b;
    }

    public static void main(String[] args) {
        System.out.println(LongStream.rangeClosed(1, 20).reduce(1, SmallestMultiple::lcm));
    }
}
