/** The number of ways to pay 200 pence, one kind of coin after the other. */
public class CoinSums {
    private static final int[] COINS = {1, 2, 5, 10, 20, 50, 100, 200};
    private static final int AMOUNT = 200;

    public static void main(String[] args) {
        int[] ways = new int[AMOUNT + 1]; // of paying each amount with the coins so far
        ways[0] = 1;
        for (int coin : COINS) {
            for (int amount = coin; amount <= AMOUNT; amount++) {
                ways[amount] += ways[amount - coin];
            }
        }
        System.out.println(ways[AMOUNT]);
    }
}
