/** The millionth arrangement of the ten digits, by stepping from each to the next. */
public class Arrangements {
    private static final int POSITION = 1_000_000;

    public static void main(String[] args) {
        char[] digits = "0123456789".toCharArray();
        for (int position = 1; position < POSITION; position++) {
            step(digits);
        }
        System.out.println(new String(digits));
    }

    /** Turns an arrangement, not the last one, into the next in lexicographic order. */
    private static void step(char[] digits) {
        int pivot = digits.length - 2; // the last digit that has a larger one behind it
        while (digits[pivot] > digits[pivot + 1]) {
            pivot--;
        }
        int successor = digits.length - 1; // the smallest larger one behind it
        while (digits[successor] < digits[pivot]) {
            successor--;
        }
        swap(digits, pivot, successor);
        for (int i = pivot + 1, j = digits.length - 1; i < j; i++, j--) {
            swap(digits, i, j);
        }
    }

    private static void swap(char[] digits, int i, int j) {
        char digit = digits[i];
        digits[i] = digits[j];
        digits[j] = digit;
    }
}
