from evaluator import Script

LINK = "sed -i 's/-o stats main.o mean.o$/& median.o/' Makefile\n"
QSORT = "sed -i '1i #include <stdlib.h>' median.c\nsed -i '/int unused/d' median.c\n"
ORDER = "sed -i 's/return \\*(const double \\*)a - \\(.*\\);/double x = *(const double *)a, y = \\1; return (x > y) - (x < y);/' median.c\n"
SUM = "sed -i 's/int sum/double sum/' mean.c\n"
END = "sed -i 's/i <= count/i < count/' mean.c\n"
MAKE = "make && echo 1 2 4 | ./stats"

RIGHT = {"TestOperateBuild": [Script(LINK + QSORT + ORDER + SUM + END + MAKE)]}

WRONG = {
    "TestOperateBuild": [
        Script("make"),
        Script(LINK + QSORT + MAKE),
        Script(LINK + QSORT + SUM + END + MAKE),
        Script(LINK + QSORT + ORDER + END + MAKE),
        Script("sed -i 's/-Wall -Werror/-w/' Makefile\n" + LINK + QSORT + ORDER + SUM + END + MAKE),
    ]
}
