import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

public class CubicPermutations {
    private static final int WANTED = 5;

    public static void main(String[] args) {
        Map<String, List<Long>> families = new HashMap<>(); // sorted digits -> cubes, all of one length
        long limit = 10;
        for (long n = 1; ; n++) {
            long cube = n * n * n;
            if (cube >= limit) { // every cube of the last length has been seen
                OptionalLong smallest = families.values().stream()
                        .filter(family -> family.size() == WANTED).mapToLong(family -> family.get(0)).min();
                if (smallest.isPresent()) {
                    System.out.println(smallest.getAsLong());
                    return;
                }
                families.clear();
                limit *= 10;
            }
            families.computeIfAbsent(sortedDigits(cube), digits -> new ArrayList<>()).add(cube);
        }
    }

    private static String sortedDigits(long n) {
        char[] digits = Long.toString(n).toCharArray();
        Arrays.sort(digits);
        return new String(digits);
    }
}
