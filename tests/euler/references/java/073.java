public class Main {
    static final int LIMIT = 12_000;

    public static void main(String[] args) {
        int count = 0;
        for (int b = 2; b <= LIMIT; b++) {
            for (int a = b / 3 + 1; 2 * a < b; a++) {
                if (gcd(a, b) == 1) {
                    count++;
                }
            }
        }
        System.out.println(count);
    }

    static int gcd(int a, int b) {
        while (b != 0) {
            int rest = a % b;
            a = b;
            b = rest;
        }
        return a;
    }
}
