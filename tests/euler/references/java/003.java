/** The largest prime factor of one number, by trial division. */
public class LargestPrimeFactor {
    private static final long NUMBER = 600_851_475_143L;

    private static long largestPrimeFactor(long number) {
        long divisor = 2;
        while (divisor * divisor <= number) {
            if (number % divisor == 0) {
                number /= divisor; // what is left has no prime factor below the divisor
            } else {
                divisor++;
            }
        }
        return number;
    }

    public static void main(String[] args) {
        System.out.println(largestPrimeFactor(NUMBER));
    }
}
