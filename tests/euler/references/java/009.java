/** The product of the one Pythagorean triple whose sum is 1000. */
public class PythagoreanTriple {
    private static final int SUM = 1000;

    public static void main(String[] args) {
        for (int a = 1; a < SUM / 3; a++) {
            for (int b = a + 1; b < SUM - a - b; b++) {
                int c = SUM - a - b;
                if (a * a + b * b == c * c) {
                    System.out.println(a * b * c);
                }
            }
        }
    }
}
