import java.math.BigInteger;

public class Main {
    public static void main(String[] args) {
        BigInteger modulus = BigInteger.TEN.pow(10);
        BigInteger power = BigInteger.TWO.modPow(BigInteger.valueOf(7_830_457), modulus);
        BigInteger prime = power.multiply(BigInteger.valueOf(28_433)).add(BigInteger.ONE);
        System.out.printf("%010d%n", prime.mod(modulus));
    }
}
