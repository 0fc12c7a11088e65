import java.math.BigInteger;
import java.util.stream.LongStream;

/** The sum of the digits of the factorial of 100. */
public class FactorialDigitSum {
    public static void main(String[] args) {
        BigInteger factorial = LongStream.rangeClosed(1, 100)
                .mapToObj(BigInteger::valueOf)
                .reduce(BigInteger.ONE, BigInteger::multiply);
        System.out.println(factorial.toString().chars().map(Character::getNumericValue).sum());
    }
}
