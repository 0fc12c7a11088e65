public class Main {
    static final long TARGET = 2_000_000;

    public static void main(String[] args) {
        long bestDistance = TARGET;
        long bestArea = 0;
        for (long width = 1; rectangles(width, 1) < 2 * TARGET; width++) {
            for (long height = 1; height <= width && rectangles(width, height) < 2 * TARGET; height++) {
                long distance = Math.abs(rectangles(width, height) - TARGET);
                if (distance < bestDistance) {
                    bestDistance = distance;
                    bestArea = width * height;
                }
            }
        }
        System.out.println(bestArea);
    }

    /** Two of the width + 1 upright lines, and two of the height + 1 level lines. */
    static long rectangles(long width, long height) {
        return width * (width + 1) / 2 * (height * (height + 1) / 2);
    }
}
