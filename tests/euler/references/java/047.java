public class DistinctPrimeFactors {
    private static final int WANTED = 4;

    public static void main(String[] args) {
        int run = 0;
        int n = 1;
        while (run < WANTED) {
            n++;
            run = differentPrimeFactors(n) == WANTED ? run + 1 : 0;
        }
        System.out.println(n - WANTED + 1);
    }

    private static int differentPrimeFactors(int n) {
        int count = 0;
        int rest = n;
        for (int d = 2; d * d <= rest; d++) {
            if (rest % d == 0) {
                count++;
                while (rest % d == 0) {
                    rest /= d;
                }
            }
        }
        return rest > 1 ? count + 1 : count;
    }
}
