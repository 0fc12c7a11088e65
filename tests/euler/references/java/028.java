/** The sum of the numbers on the diagonals of a spiral of 1001 x 1001 cells. */
public class SpiralDiagonals {
    private static final int SIZE = 1001;

    public static void main(String[] args) {
        long total = 1;
        long number = 1;
        for (int side = 3; side <= SIZE; side += 2) {
            for (int corner = 0; corner < 4; corner++) { // side - 1 cells apart
                number += side - 1;
                total += number;
            }
        }
        System.out.println(total);
    }
}
