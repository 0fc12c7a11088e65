public class RightTriangles {
    private static final int LIMIT = 1000;

    public static void main(String[] args) {
        int[] triangles = new int[LIMIT + 1];
        for (int a = 1; a < LIMIT / 3; a++) {
            for (int b = a; a + b < LIMIT; b++) {
                int c = (int) Math.round(Math.sqrt(a * a + b * b));
                if (c * c == a * a + b * b && a + b + c <= LIMIT) {
                    triangles[a + b + c]++;
                }
            }
        }
        int best = 0;
        for (int p = 1; p <= LIMIT; p++) {
            if (triangles[p] > triangles[best]) {
                best = p;
            }
        }
        System.out.println(best);
    }
}
