import java.util.stream.IntStream;

/** The sum of the amicable numbers below 10000. */
public class AmicableNumbers {
    private static final int LIMIT = 10_000;

    private static int sumOfProperDivisors(int number) {
        if (number == 1) {
            return 0;
        }
        int total = 1;
        for (int divisor = 2; divisor * divisor <= number; divisor++) {
            if (number % divisor == 0) {
                int other = number / divisor;
                total += other == divisor ? divisor : divisor + other;
            }
        }
        return total;
    }

    private static boolean isAmicable(int number) {
        int partner = sumOfProperDivisors(number);
        return partner != number && partner > 0 && sumOfProperDivisors(partner) == number;
    }

    public static void main(String[] args) {
        System.out.println(IntStream.range(1, LIMIT).filter(AmicableNumbers::isAmicable).sum());
    }
}
