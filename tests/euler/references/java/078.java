import java.util.ArrayList;
import java.util.List;

public class Main {
    static final int MODULUS = 1_000_000;

    public static void main(String[] args) {
        // Euler: p(n) = p(n-1) + p(n-2) - p(n-5) - p(n-7) + ..., with the pentagonal numbers k(3k-1)/2 and
        // k(3k+1)/2 for k = 1, 2, ..., whose terms are added for odd k and subtracted for even k.
        List<Integer> partitions = new ArrayList<>();
        partitions.add(1);
        int n = 0;
        while (partitions.get(n) != 0) {
            n++;
            int total = 0;
            for (int k = 1; k * (3 * k - 1) / 2 <= n; k++) {
                int term = partitions.get(n - k * (3 * k - 1) / 2);
                if (k * (3 * k + 1) / 2 <= n) {
                    term += partitions.get(n - k * (3 * k + 1) / 2);
                }
                total = (total + (k % 2 == 1 ? term : -term)) % MODULUS;
            }
            partitions.add(Math.floorMod(total, MODULUS));
        }
        System.out.println(n);
    }
}
