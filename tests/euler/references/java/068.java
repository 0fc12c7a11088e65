public class Main {
    static final int N = 5;

    /** The places line by line: outer[k], inner[k], inner[k + 1]. */
    static final int[] outer = new int[N];
    static final int[] inner = new int[N];
    static final boolean[] used = new boolean[2 * N + 1];
    static String best = "";

    public static void main(String[] args) {
        for (int first = 1; first <= 2 * N; first++) {
            for (int second = 1; second <= 2 * N; second++) {
                for (int third = 1; third <= 2 * N; third++) {
                    if (first != second && first != third && second != third) {
                        outer[0] = first;
                        inner[0] = second;
                        inner[1] = third;
                        used[first] = used[second] = used[third] = true;
                        fillLine(1, first + second + third);
                        used[first] = used[second] = used[third] = false;
                    }
                }
            }
        }
        System.out.println(best);
    }

    static void fillLine(int line, int total) {
        if (line == N) {
            compare();
            return;
        }
        // The first line is the one with the smallest outer number.
        for (int number = outer[0] + 1; number <= 2 * N; number++) {
            if (used[number]) {
                continue;
            }
            int next = total - number - inner[line];
            if (line == N - 1) {
                if (next == inner[0]) {
                    outer[line] = number;
                    fillLine(N, total);
                }
            } else if (next >= 1 && next <= 2 * N && next != number && !used[next]) {
                outer[line] = number;
                inner[line + 1] = next;
                used[number] = used[next] = true;
                fillLine(line + 1, total);
                used[number] = used[next] = false;
            }
        }
    }

    static void compare() {
        StringBuilder string = new StringBuilder();
        for (int line = 0; line < N; line++) {
            string.append(outer[line]).append(inner[line]).append(inner[(line + 1) % N]);
        }
        if (string.length() == 16 && string.toString().compareTo(best) > 0) {
            best = string.toString();
        }
    }
}
