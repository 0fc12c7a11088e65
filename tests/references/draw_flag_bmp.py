def nothing(messages):
    return ""


JAPAN = """```c
#include <stdio.h>

#define WIDTH 300
#define HEIGHT 200

static void put(unsigned value, int bytes)
{
    for (int i = 0; i < bytes; i++)
        putchar(value >> (8 * i) & 255);
}

int main(void)
{
    unsigned row = WIDTH * 3;
    putchar('B');
    putchar('M');
    put(54 + row * HEIGHT, 4);
    put(0, 4);
    put(54, 4);
    put(40, 4);
    put(WIDTH, 4);
    put(HEIGHT, 4);
    put(1, 2);
    put(24, 2);
    for (int i = 0; i < 6; i++)
        put(0, 4);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            int dx = x - WIDTH / 2, dy = y - HEIGHT / 2;
            put(dx * dx + dy * dy <= 60 * 60 ? 0xBC002D : 0xFFFFFF, 3);
        }
    return 0;
}
```"""

NORWAY = """```c
#include <stdio.h>
#include <stdint.h>
#include <string.h>

static uint8_t file[54 + 220 * 3 * 160];

static void le(int at, uint32_t v, int n)
{
    while (n--) { file[at++] = (uint8_t)v; v >>= 8; }
}

int main(void)
{
    memcpy(file, "BM", 2);
    le(2, sizeof file, 4);
    le(10, 54, 4);
    le(14, 40, 4);
    le(18, 220, 4);
    le(22, 160, 4);
    le(26, 1, 2);
    le(28, 24, 2);
    for (int y = 0; y < 160; y++)
        for (int x = 0; x < 220; x++) {
            /* 22 x 16 units: 6 1 2 1 12 across, 6 1 2 1 6 down */
            uint32_t colour = 0xBA0C2F;
            if ((x >= 60 && x < 100) || (y >= 60 && y < 100)) colour = 0xFFFFFF;
            if ((x >= 70 && x < 90) || (y >= 70 && y < 90)) colour = 0x00205B;
            le(54 + (y * 220 + x) * 3, colour, 3);
        }
    fwrite(file, 1, sizeof file, stdout);
    return 0;
}
```"""

RIGHT = {
    "TestDrawFlagBmpJapan": [
        [JAPAN, "A red disc in the middle of a white field.\nANSWER: Japan"],
        # stored from the top down, and a palette of two colours
        [
            """```c
#include <stdio.h>
#include <string.h>
int main(void) {
    unsigned char head[62] = {'B', 'M'};
    int values[][2] = {{2, 62 + 300 * 200}, {10, 62}, {14, 40}, {18, 300}, {22, -200}, {26, 1 | 8 << 16}, {46, 2},
                       {54, 0xFFFFFF}, {58, 0xBC002D}};
    for (int i = 0; i < 9; i++)
        for (int b = 0; b < 4; b++)
            head[values[i][0] + b] = (unsigned)values[i][1] >> 8 * b;
    fwrite(head, 1, 62, stdout);
    for (int y = 0; y < 200; y++)
        for (int x = 0; x < 300; x++)
            putchar((x - 150) * (x - 150) + (y - 100) * (y - 100) < 3600);
    return 0;
}
```""",
            "White with a centred red circle.\n\nANSWER: **Japan**",
        ],
    ],
    "TestDrawFlagBmpNorway": [
        [NORWAY, "A blue cross with a white border on red, shifted to the left.\nANSWER: Norway"],
        # one letter a unit of ten pixels; the flag is the same upside down
        [
            """```c
#include <stdio.h>

struct __attribute__((packed)) Header {
    char kind[2];
    unsigned size, reserved, start, length;
    int width, height;
    unsigned short planes, depth;
    unsigned rest[6];
};

int main(void)
{
    static const char across[] = "rrrrrrwbbwrrrrrrrrrrrr", down[] = "rrrrrrwbbwrrrrrr";
    struct Header h = {{'B', 'M'}, 54 + 220 * 160 * 3, 0, 54, 40, 220, -160, 1, 24, {0}};
    fwrite(&h, sizeof h, 1, stdout);
    for (int y = 0; y < 160; y++)
        for (int x = 0; x < 220; x++) {
            char a = across[x / 10], d = down[y / 10];
            char c = a == 'b' || d == 'b' ? 'b' : a == 'w' || d == 'w' ? 'w' : 'r';
            const char *bgr = c == 'b' ? "\\x5B\\x20\\x00" : c == 'w' ? "\\xFF\\xFF\\xFF" : "\\x2F\\x0C\\xBA";
            fwrite(bgr, 1, 3, stdout);
        }
    return 0;
}
```""",
            "The Nordic cross in blue and white on red.\nANSWER: Norway",
        ],
    ],
}

NO_FLAG = "ANSWER: none"

WRONG = {
    "TestDrawFlagBmpJapan": [
        nothing,
        # the header is announced in a text
        [JAPAN.replace("putchar('B');", "printf(\"Writing the flag of Japan\\n\"); putchar('B');"), NO_FLAG],
        [JAPAN.replace("y < HEIGHT", "y < HEIGHT / 2"), NO_FLAG],
        [JAPAN.replace("0xBC002D", "0x2D00BC"), "A blue disc on white.\nANSWER: none"],
        ['```c\n#include <stdio.h>\nint main(void) { puts("FLAG: Japan"); return 0; }\n```', NO_FLAG],
        [JAPAN.replace("put(24, 2)", "put(32, 2)"), NO_FLAG],
    ],
    "TestDrawFlagBmpNorway": [
        nothing,
        [NORWAY.replace("0x00205B", "0xBA0C2F"), "A red field with a white double cross.\nANSWER: none"],
        [
            NORWAY.replace("x >= 60 && x < 100", "x >= 90 && x < 130"),
            "The cross is in the middle.\nANSWER: none",
        ],
        [NORWAY.replace("le(18, 220, 4)", "le(18, 160, 4)"), NO_FLAG],
        ["```c\n/* Norway */\nint main(void) { return 0; }\n```", NO_FLAG],
    ],
}
