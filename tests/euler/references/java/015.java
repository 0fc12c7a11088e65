/** Walks through a grid of 20 x 20 cells: each crossing is reached from the left or from above. */
public class LatticeWalks {
    private static final int SIZE = 20;

    public static void main(String[] args) {
        long[] walks = new long[SIZE + 1]; // to each crossing of one line of the grid
        walks[0] = 1;
        for (int line = 0; line <= SIZE; line++) {
            for (int crossing = 1; crossing <= SIZE; crossing++) {
                walks[crossing] += walks[crossing - 1];
            }
        }
        System.out.println(walks[SIZE]);
    }
}
