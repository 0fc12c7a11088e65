import java.math.BigInteger;

public class PowerfulDigitSum {
    public static void main(String[] args) {
        int best = 0;
        for (int a = 1; a < 100; a++) {
            BigInteger power = BigInteger.ONE;
            for (int b = 1; b < 100; b++) {
                power = power.multiply(BigInteger.valueOf(a));
                best = Math.max(best, power.toString().chars().map(digit -> digit - '0').sum());
            }
        }
        System.out.println(best);
    }
}
