public class Main {
    static final int TARGET = 100;

    public static void main(String[] args) {
        long[] ways = new long[TARGET + 1]; // with the summands seen so far
        ways[0] = 1;
        for (int summand = 1; summand < TARGET; summand++) {
            for (int n = summand; n <= TARGET; n++) {
                ways[n] += ways[n - summand];
            }
        }
        System.out.println(ways[TARGET]);
    }
}
