/** The start below one million of the longest chain n -> n/2 (even), 3n + 1 (odd) down to 1. */
public class LongestChain {
    private static final int LIMIT = 1_000_000;

    public static void main(String[] args) {
        int[] lengths = new int[LIMIT]; // number of terms from each start
        lengths[1] = 1;
        int longest = 1;
        for (int start = 2; start < LIMIT; start++) {
            long n = start;
            int steps = 0;
            while (n >= start) { // everything below the start is known
                n = n % 2 == 0 ? n / 2 : 3 * n + 1;
                steps++;
            }
            lengths[start] = lengths[(int) n] + steps;
            if (lengths[start] > lengths[longest]) {
                longest = start;
            }
        }
        System.out.println(longest);
    }
}
