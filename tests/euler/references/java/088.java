import java.util.Arrays;

public class Main {
    static final int LARGEST_K = 12_000;

    // Factors greater than 1 with a given product and sum become k numbers with that sum and product when they
    // are filled up with product - sum ones. m(k) <= 2k, since 2 * k * 1 * ... * 1 = 2 + k + (k - 2).
    static final int[] smallest = new int[LARGEST_K + 1];

    public static void main(String[] args) {
        for (int k = 2; k <= LARGEST_K; k++) {
            smallest[k] = 2 * k;
        }
        search(1, 0, 0, 2);
        System.out.println(Arrays.stream(smallest).distinct().sum());
    }

    /** Multiply by further factors, none of them smaller than `factor`. */
    static void search(int product, int sum, int count, int factor) {
        for (; product * factor <= 2 * LARGEST_K; factor++) {
            int newProduct = product * factor;
            int newSum = sum + factor;
            int k = count + 1 + newProduct - newSum;
            if (count > 0 && k <= LARGEST_K) {
                smallest[k] = Math.min(smallest[k], newProduct);
            }
            search(newProduct, newSum, count + 1, factor);
        }
    }
}
