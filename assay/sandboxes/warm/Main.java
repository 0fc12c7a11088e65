// Run once while the image is built: the classes it loads go into the archive that every later JVM maps.
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.*;
import java.util.concurrent.*;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.*;

public class Main {
    sealed interface Shape permits Circle, Square {}
    record Circle(double radius) implements Shape {}
    record Square(double side) implements Shape {}
    enum Colour { RED, GREEN }

    static double area(Shape shape) {
        if (shape instanceof Circle circle) return Math.PI * circle.radius() * circle.radius();
        return shape instanceof Square square ? square.side() * square.side() : 0;
    }

    public static void main(String[] args) throws Exception {
        Map<String, List<Integer>> groups = new TreeMap<>();
        for (int i = 0; i < 9; i++) groups.computeIfAbsent("k" + i % 3, k -> new ArrayList<>()).add(i);
        System.out.println(groups + " " + new LinkedHashMap<>(groups) + new HashSet<>(groups.keySet()));
        System.out.println(Stream.of(new Circle(1), new Square(2)).map(Main::area).collect(Collectors.toList()));
        System.out.println(IntStream.range(0, 9).boxed().collect(Collectors.groupingBy(i -> i % 2, Collectors.counting())));
        System.out.printf("%d %s %.2f %5s%n", 3, String.format("%03d", 7), 1.5, Colour.RED);
        Function<Integer, Integer> twice = x -> 2 * x;
        PriorityQueue<int[]> queue = new PriorityQueue<>(Comparator.comparingInt(pair -> pair[0]));
        queue.add(new int[] {twice.apply(2), 1});
        ArrayDeque<Integer> deque = new ArrayDeque<>(List.of(1, 2, 3));
        Scanner scanner = new Scanner("1 two\nthree");
        System.out.println(scanner.nextInt() + scanner.nextLine() + deque.pop() + queue.poll()[0]);
        System.out.println(Pattern.compile("(\\w+)@(\\w+)").matcher("a@b").replaceAll("$2"));
        System.out.println(BigInteger.TWO.pow(100) + Optional.of(1).toString() + String.join(",", "a b".split(" ")));
        ExecutorService pool = Executors.newFixedThreadPool(2);
        System.out.println(pool.submit(() -> 1).get() + CompletableFuture.supplyAsync(() -> 2).get());
        pool.shutdown();
        StringBuilder text = new StringBuilder();
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) text.append(line);
        }
        System.out.println(Arrays.toString(text.toString().toCharArray()) + Arrays.asList(3, 1, 2).stream().sorted().toList());
    }
}
