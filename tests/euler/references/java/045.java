public class TriangularPentagonalHexagonal {
    public static void main(String[] args) {
        long n = 144; // every hexagonal number is triangular: n(2n-1) is the triangle number of 2n-1
        while (!isPentagonal(n * (2 * n - 1))) {
            n++;
        }
        System.out.println(n * (2 * n - 1));
    }

    /** p = n(3n-1)/2 exactly when 24p + 1 is the square of 6n - 1. */
    private static boolean isPentagonal(long p) {
        long root = Math.round(Math.sqrt(24 * p + 1));
        return root * root == 24 * p + 1 && root % 6 == 5;
    }
}
