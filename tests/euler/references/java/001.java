import java.util.stream.IntStream;

/** Sum of the numbers below 1000 that 3 or 5 divides. */
public class Multiples {
    public static void main(String[] args) {
        System.out.println(IntStream.range(1, 1000).filter(n -> n % 3 == 0 || n % 5 == 0).sum());
    }
}
