import java.util.stream.IntStream;

/** The square of the sum of 1 to 100, less the sum of the squares. */
public class SumSquareDifference {
    public static void main(String[] args) {
        int sum = IntStream.rangeClosed(1, 100).sum();
        int squares = IntStream.rangeClosed(1, 100).map(n -> n * n).sum();
        System.out.println(sum * sum - squares);
    }
}
