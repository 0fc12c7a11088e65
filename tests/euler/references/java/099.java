import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

public class Main {
    public static void main(String[] args) throws IOException {
        List<String> lines = Files.readAllLines(Path.of("base_exp.txt"));
        double largest = -1;
        int answer = 0;
        for (int number = 1; number <= lines.size(); number++) {
            String[] pair = lines.get(number - 1).strip().split(",");
            // a^b < c^d just if b log a < d log c.
            double logarithm = Integer.parseInt(pair[1]) * Math.log(Integer.parseInt(pair[0]));
            if (logarithm > largest) {
                largest = logarithm;
                answer = number;
            }
        }
        System.out.println(answer);
    }
}
