import java.math.BigInteger;

public class DiophantineEquation {
    public static void main(String[] args) {
        int best = 0;
        BigInteger largest = BigInteger.ZERO;
        for (int d = 1; d <= 1000; d++) {
            int root = (int) Math.sqrt(d);
            if (root * root == d) {
                continue;
            }
            BigInteger x = smallestX(d, root);
            if (x.compareTo(largest) > 0) {
                largest = x;
                best = d;
            }
        }
        System.out.println(best);
    }

    /** The least x with x*x - d*y*y = 1: the first convergent x/y of sqrt(d) that solves it. */
    private static BigInteger smallestX(int d, int root) {
        int m = 0;
        int denominator = 1;
        int term = root;
        BigInteger xBefore = BigInteger.ONE;
        BigInteger x = BigInteger.valueOf(root);
        BigInteger yBefore = BigInteger.ZERO;
        BigInteger y = BigInteger.ONE;
        while (!solves(x, y, d)) {
            m = denominator * term - m;
            denominator = (d - m * m) / denominator;
            term = (root + m) / denominator;
            BigInteger factor = BigInteger.valueOf(term);
            BigInteger xNext = x.multiply(factor).add(xBefore);
            BigInteger yNext = y.multiply(factor).add(yBefore);
            xBefore = x;
            x = xNext;
            yBefore = y;
            y = yNext;
        }
        return x;
    }

    private static boolean solves(BigInteger x, BigInteger y, int d) {
        BigInteger right = y.multiply(y).multiply(BigInteger.valueOf(d)).add(BigInteger.ONE);
        return x.multiply(x).equals(right);
    }
}
