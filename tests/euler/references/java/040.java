public class DigitsInARow {
    public static void main(String[] args) {
        long product = 1;
        for (int position = 1; position <= 1_000_000; position *= 10) {
            product *= digit(position);
        }
        System.out.println(product);
    }

    /** The digit at a 1-based position of 123456789101112... */
    private static int digit(int position) {
        int length = 1;
        int first = 1; // the numbers of `length` digits begin with `first`
        while (position > length * 9 * first) {
            position -= length * 9 * first;
            length++;
            first *= 10;
        }
        int number = first + (position - 1) / length;
        return Integer.toString(number).charAt((position - 1) % length) - '0';
    }
}
