import java.math.BigInteger;
import java.util.stream.IntStream;

public class LychrelNumbers {
    public static void main(String[] args) {
        System.out.println(IntStream.range(1, 10_000).filter(LychrelNumbers::isLychrel).count());
    }

    private static boolean isLychrel(int start) {
        BigInteger n = BigInteger.valueOf(start);
        for (int step = 0; step < 50; step++) {
            n = n.add(reversed(n));
            if (n.equals(reversed(n))) {
                return false;
            }
        }
        return true;
    }

    private static BigInteger reversed(BigInteger n) {
        return new BigInteger(new StringBuilder(n.toString()).reverse().toString());
    }
}
