public class Main {
    static final int LIMIT = 1_000_000;

    public static void main(String[] args) {
        long bestA = 0;
        long bestB = 1;
        for (long b = 1; b <= LIMIT; b++) {
            long a = (3 * b - 1) / 7; // the largest a with a/b < 3/7
            if (a * bestB > bestA * b) {
                bestA = a;
                bestB = b;
            }
        }
        System.out.println(bestA);
    }
}
