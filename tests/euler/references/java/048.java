import java.math.BigInteger;

public class SelfPowers {
    public static void main(String[] args) {
        BigInteger modulus = BigInteger.TEN.pow(10);
        BigInteger sum = BigInteger.ZERO;
        for (int k = 1; k <= 1000; k++) {
            BigInteger base = BigInteger.valueOf(k);
            sum = sum.add(base.modPow(base, modulus));
        }
        System.out.println(sum.mod(modulus));
    }
}
