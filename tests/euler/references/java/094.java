public class Main {
    static final long LIMIT = 1_000_000_000;

    public static void main(String[] args) {
        // Halve the triangle a, a, a + e along its height h: (2a)^2 - (a + e)^2 = (2h)^2. With x = (3a - e) / 2
        // and y = h this is x^2 - 3y^2 = 1, whose solutions come from (2, 1) by (x, y) -> (2x + 3y, x + 2y).
        long total = 0;
        long x = 2;
        long y = 1;
        while (2 * x - 2 <= LIMIT) {
            for (int e = -1; e <= 1; e += 2) {
                long a = (2 * x + e) / 3;
                boolean whole = (2 * x + e) % 3 == 0;
                // 1, 1, 0 is no triangle.
                if (whole && a + e > 0 && 3 * a + e <= LIMIT) {
                    total += 3 * a + e;
                }
            }
            long nextX = 2 * x + 3 * y;
            y = x + 2 * y;
            x = nextX;
        }
        System.out.println(total);
    }
}
