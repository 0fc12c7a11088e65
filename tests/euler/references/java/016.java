import java.math.BigInteger;

/** The sum of the digits of 2 to the power of 1000. */
public class PowerDigitSum {
    public static void main(String[] args) {
        String digits = BigInteger.TWO.pow(1000).toString();
        System.out.println(digits.chars().map(Character::getNumericValue).sum());
    }
}
