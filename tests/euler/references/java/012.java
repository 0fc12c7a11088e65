/** The first triangular number with more than 500 divisors. */
public class TriangularDivisors {
    private static final int DIVISORS = 500;

    private static int divisorCount(int number) {
        int total = 1;
        for (int divisor = 2; divisor * divisor <= number; divisor++) {
            int exponent = 0;
            while (number % divisor == 0) {
                number /= divisor;
                exponent++;
            }
            total *= exponent + 1;
        }
        return number > 1 ? total * 2 : total;
    }

    /**
     * The number of divisors of n(n + 1)/2. Of the neighbours n and n + 1 the even one is halved; they have
     * no common factor, so that the numbers of their divisors are multiplied.
     */
    private static int triangularDivisorCount(int n) {
        return n % 2 == 0
                ? divisorCount(n / 2) * divisorCount(n + 1)
                : divisorCount(n) * divisorCount((n + 1) / 2);
    }

    public static void main(String[] args) {
        int n = 1;
        while (triangularDivisorCount(n) <= DIVISORS) {
            n++;
        }
        System.out.println((long) n * (n + 1) / 2);
    }
}
