public class Main {
    static final int LIMIT = 1_000_000;

    public static void main(String[] args) {
        int[] divisorSum = new int[LIMIT + 1];
        for (int divisor = 1; divisor <= LIMIT / 2; divisor++) {
            for (int multiple = 2 * divisor; multiple <= LIMIT; multiple += divisor) {
                divisorSum[multiple] += divisor;
            }
        }

        int[] seenFrom = new int[LIMIT + 1]; // the start that was the first to meet a number
        int longest = 0;
        int answer = 0;
        for (int start = 2; start <= LIMIT; start++) {
            int n = start;
            while (n > 0 && n <= LIMIT && seenFrom[n] == 0) {
                seenFrom[n] = start;
                n = divisorSum[n];
            }
            if (n > 0 && n <= LIMIT && seenFrom[n] == start) { // back at a number of this very walk
                int length = 0;
                int smallest = n;
                int member = n;
                do {
                    length++;
                    smallest = Math.min(smallest, member);
                    member = divisorSum[member];
                } while (member != n);
                if (length > longest) {
                    longest = length;
                    answer = smallest;
                }
            }
        }
        System.out.println(answer);
    }
}
