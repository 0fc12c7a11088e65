public class Main {
    static final int TARGET = 1_000_000;

    public static void main(String[] args) {
        // With edges a <= b <= c the shortest way has length sqrt((a + b)^2 + c^2). Count by the longest edge c
        // and by the sum a + b, of which there are as many pairs as a <= b <= c allows.
        int rooms = 0;
        int c = 0;
        while (rooms <= TARGET) {
            c++;
            for (int ab = 2; ab <= 2 * c; ab++) {
                if (isSquare(ab * ab + c * c)) {
                    rooms += ab / 2 - Math.max(1, ab - c) + 1;
                }
            }
        }
        System.out.println(c);
    }

    static boolean isSquare(int n) {
        int root = (int) Math.round(Math.sqrt(n));
        return root * root == n;
    }
}
