import java.util.Set;
import java.util.TreeSet;

/**
 * The sum of the products c = a * b that, with their factors, use each of the digits 1 to 9 once.
 *
 * <p>With a below b the factors have 1 and 4 or 2 and 3 digits, and the product has four: other splits of
 * nine digits cannot be balanced.
 */
public class PandigitalProducts {
    private static boolean isPandigital(String text) {
        return text.length() == 9 && text.indexOf('0') < 0 && text.chars().distinct().count() == 9;
    }

    public static void main(String[] args) {
        Set<Integer> products = new TreeSet<>();
        for (int a = 1; a < 100; a++) {
            for (int b = a + 1; a * b < 10_000; b++) {
                if (isPandigital("" + a + b + a * b)) {
                    products.add(a * b);
                }
            }
        }
        System.out.println(products.stream().mapToInt(Integer::intValue).sum());
    }
}
