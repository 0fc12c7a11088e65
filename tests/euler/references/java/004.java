/** The largest palindrome among the products of two factors of three digits. */
public class PalindromeProduct {
    private static boolean isPalindrome(int number) {
        int reversed = 0;
        for (int rest = number; rest > 0; rest /= 10) {
            reversed = reversed * 10 + rest % 10;
        }
        return reversed == number;
    }

    public static void main(String[] args) {
        int largest = 0;
        for (int a = 100; a < 1000; a++) {
            for (int b = a; b < 1000; b++) {
                if (a * b > largest && isPalindrome(a * b)) {
                    largest = a * b;
                }
            }
        }
        System.out.println(largest);
    }
}
