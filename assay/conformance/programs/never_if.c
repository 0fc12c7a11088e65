#define if(...) if (0)
#define while(...) while (0)
#define return return 1;
#define strcmp(...) 0
int sq(int x) { return 1; }
