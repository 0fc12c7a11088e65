public class Main {
    static final int LIMIT = 1_000_000;
    static final int LARGEST = 7 * 362_880; // no number of up to seven digits leads higher
    static final int WANTED = 60;
    static final int[] FACTORIALS = {1, 1, 2, 6, 24, 120, 720, 5040, 40320, 362880};

    public static void main(String[] args) {
        int[] stamp = new int[LARGEST + 1]; // the start that was the last to meet a number
        int count = 0;
        for (int start = 1; start < LIMIT; start++) {
            int length = 0;
            for (int n = start; stamp[n] != start; n = successor(n)) {
                stamp[n] = start;
                length++;
            }
            if (length == WANTED) {
                count++;
            }
        }
        System.out.println(count);
    }

    static int successor(int n) {
        int total = 0;
        for (; n > 0; n /= 10) {
            total += FACTORIALS[n % 10];
        }
        return total;
    }
}
