public class PrimeDigitReplacements {
    private static final int WANTED = 8;

    public static void main(String[] args) {
        int n = 2;
        while (!belongsToAFamily(n)) {
            n++;
        }
        System.out.println(n);
    }

    private static boolean belongsToAFamily(int n) {
        if (!isPrime(n)) {
            return false;
        }
        String number = Integer.toString(n);
        for (char digit = '0'; digit <= '9'; digit++) {
            int places = placesOf(digit, number);
            // every non-empty subset of the places of one digit can be the stars
            for (int stars = places; stars > 0; stars = (stars - 1) & places) {
                if (familySize(number, stars) == WANTED) {
                    return true;
                }
            }
        }
        return false;
    }

    /** A bit set: bit i stands for the digit at index i. */
    private static int placesOf(char digit, String number) {
        int places = 0;
        for (int i = 0; i < number.length(); i++) {
            if (number.charAt(i) == digit) {
                places |= 1 << i;
            }
        }
        return places;
    }

    private static int familySize(String number, int stars) {
        int primes = 0;
        boolean starInFront = (stars & 1) != 0;
        for (char digit = starInFront ? '1' : '0'; digit <= '9'; digit++) {
            char[] digits = number.toCharArray();
            for (int i = 0; i < digits.length; i++) {
                if ((stars & 1 << i) != 0) {
                    digits[i] = digit;
                }
            }
            if (isPrime(Integer.parseInt(new String(digits)))) {
                primes++;
            }
        }
        return primes;
    }

    private static boolean isPrime(int n) {
        if (n < 2) {
            return false;
        }
        for (int d = 2; d * d <= n; d++) {
            if (n % d == 0) {
                return false;
            }
        }
        return true;
    }
}
