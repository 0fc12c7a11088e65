import java.util.stream.IntStream;

/** The number of letters in the English names of 1 to 1000. */
public class NumberLetters {
    /** Nothing is said for 0. */
    private static final String[] SMALL = {
        "", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
        "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
    };
    private static final String[] TENS = {
        "", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety",
    };

    private static String words(int number) {
        if (number == 1000) {
            return "one thousand";
        }
        if (number >= 100) {
            String hundreds = SMALL[number / 100] + " hundred";
            return number % 100 == 0 ? hundreds : hundreds + " and " + words(number % 100);
        }
        if (number >= 20) {
            return TENS[number / 10] + " " + SMALL[number % 10];
        }
        return SMALL[number];
    }

    public static void main(String[] args) {
        System.out.println(IntStream.rangeClosed(1, 1000)
                .map(number -> words(number).replace(" ", "").length())
                .sum());
    }
}
