public class PandigitalMultiples {
    public static void main(String[] args) {
        long best = 0;
        for (int x = 1; x < 10_000; x++) { // from 10000 on, two products have ten digits already
            StringBuilder joined = new StringBuilder();
            int n = 0;
            while (joined.length() < 9) {
                n++;
                joined.append(n * x);
            }
            if (n > 1 && isPandigital(joined)) {
                best = Math.max(best, Long.parseLong(joined.toString()));
            }
        }
        System.out.println(best);
    }

    private static boolean isPandigital(CharSequence digits) {
        return digits.length() == 9 && digits.chars().distinct().filter(c -> c != '0').count() == 9;
    }
}
