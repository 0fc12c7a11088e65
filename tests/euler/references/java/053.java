public class CombinatoricSelections {
    private static final int CAP = 1_000_001; // what exceeds a million is kept as this

    public static void main(String[] args) {
        int exceeding = 0;
        int[] row = {1};
        for (int n = 1; n <= 100; n++) {
            int[] next = new int[n + 1];
            next[0] = next[n] = 1;
            for (int r = 1; r < n; r++) {
                next[r] = Math.min(CAP, row[r - 1] + row[r]);
                if (next[r] == CAP) {
                    exceeding++;
                }
            }
            row = next;
        }
        System.out.println(exceeding);
    }
}
