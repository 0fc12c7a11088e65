import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

public class Main {
    /** An exact value; denominators may be negative, but not zero. */
    record Fraction(int numerator, int denominator) {}

    public static void main(String[] args) {
        int longest = 0;
        String answer = "";
        for (int a = 0; a <= 9; a++) {
            for (int b = a + 1; b <= 9; b++) {
                for (int c = b + 1; c <= 9; c++) {
                    for (int d = c + 1; d <= 9; d++) {
                        int length = runLength(a, b, c, d);
                        if (length > longest) {
                            longest = length;
                            answer = "" + a + b + c + d;
                        }
                    }
                }
            }
        }
        System.out.println(answer);
    }

    static int runLength(int... digits) {
        List<Fraction> operands = new ArrayList<>();
        for (int digit : digits) {
            operands.add(new Fraction(digit, 1));
        }
        Set<Integer> reached = new HashSet<>();
        combine(operands, reached);
        int n = 0;
        while (reached.contains(n + 1)) {
            n++;
        }
        return n;
    }

    /** Replace two operands by the result of an operation on them, until one is left. */
    static void combine(List<Fraction> operands, Set<Integer> reached) {
        if (operands.size() == 1) {
            Fraction value = operands.get(0);
            if (value.numerator % value.denominator == 0) {
                reached.add(value.numerator / value.denominator);
            }
            return;
        }
        for (int i = 0; i < operands.size(); i++) {
            for (int j = 0; j < operands.size(); j++) {
                if (i != j) {
                    List<Fraction> rest = new ArrayList<>(operands);
                    Fraction x = operands.get(i);
                    Fraction y = operands.get(j);
                    rest.remove(x);
                    rest.remove(y);
                    for (Fraction result : results(x, y)) {
                        rest.add(result);
                        combine(rest, reached);
                        rest.remove(rest.size() - 1);
                    }
                }
            }
        }
    }

    static List<Fraction> results(Fraction x, Fraction y) {
        int a = x.numerator;
        int b = x.denominator;
        int c = y.numerator;
        int d = y.denominator;
        List<Fraction> results = new ArrayList<>();
        results.add(new Fraction(a * d + c * b, b * d));
        results.add(new Fraction(a * d - c * b, b * d));
        results.add(new Fraction(a * c, b * d));
        if (c != 0) {
            results.add(new Fraction(a * d, b * c));
        }
        return results;
    }
}
