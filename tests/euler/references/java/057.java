import java.math.BigInteger;

public class SquareRootConvergents {
    public static void main(String[] args) {
        // One more fraction turns n/d into (n + 2d) / (n + d), which is in lowest terms if n/d is.
        BigInteger n = BigInteger.ONE;
        BigInteger d = BigInteger.ONE;
        int longer = 0;
        for (int i = 0; i < 1000; i++) {
            BigInteger sum = n.add(d);
            n = sum.add(d);
            d = sum;
            if (n.toString().length() > d.toString().length()) {
                longer++;
            }
        }
        System.out.println(longer);
    }
}
