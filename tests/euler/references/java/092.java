public class Main {
    static final int LIMIT = 10_000_000;
    static final int LARGEST_SUM = 7 * 81;

    public static void main(String[] args) {
        boolean[] leadsTo89 = new boolean[LARGEST_SUM + 1];
        for (int start = 1; start <= LARGEST_SUM; start++) {
            int n = start;
            while (n != 1 && n != 89) {
                n = successor(n);
            }
            leadsTo89[start] = n == 89;
        }
        int count = 0;
        for (int start = 1; start < LIMIT; start++) {
            if (leadsTo89[successor(start)]) {
                count++;
            }
        }
        System.out.println(count);
    }

    static int successor(int n) {
        int total = 0;
        for (; n > 0; n /= 10) {
            total += (n % 10) * (n % 10);
        }
        return total;
    }
}
