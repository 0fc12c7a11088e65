/** Sum of the even terms, up to four million, of the sequence 1, 2, 3, 5, 8, ... */
public class EvenFibonacci {
    private static final int LIMIT = 4_000_000;

    public static void main(String[] args) {
        int total = 0;
        int term = 1;
        int following = 2;
        while (term <= LIMIT) {
            if (term % 2 == 0) {
                total += term;
            }
            int sum = term + following;
            term = following;
            following = sum;
        }
        System.out.println(total);
    }
}
