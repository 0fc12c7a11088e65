import java.util.Arrays;
import java.util.stream.IntStream;

public class PermutedMultiples {
    public static void main(String[] args) {
        int x = 1;
        while (!hasPermutedMultiples(x)) {
            x++;
        }
        System.out.println(x);
    }

    private static boolean hasPermutedMultiples(int x) {
        char[] digits = sortedDigits(x);
        return IntStream.rangeClosed(2, 6).allMatch(k -> Arrays.equals(digits, sortedDigits(k * x)));
    }

    private static char[] sortedDigits(int n) {
        char[] digits = Integer.toString(n).toCharArray();
        Arrays.sort(digits);
        return digits;
    }
}
