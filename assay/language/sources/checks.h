void assay_start(const char *); void assay_begin(int, int); void assay_done(void);
void assay_integer(long long); void assay_unsigned(unsigned long long); void assay_float(double);
void assay_number(double); void assay_text(const void *); void assay_pointer(const volatile void *);
#define ASSAY_SEND(x) _Generic((x), char *: assay_text, const char *: assay_text, \
    unsigned char *: assay_text, const unsigned char *: assay_text, signed char *: assay_text, \
    const signed char *: assay_text, float: assay_float, double: assay_number, long double: assay_number, \
    unsigned: assay_unsigned, unsigned long: assay_unsigned, unsigned long long: assay_unsigned, \
    _Bool: assay_integer, char: assay_integer, signed char: assay_integer, unsigned char: assay_integer, \
    short: assay_integer, unsigned short: assay_integer, int: assay_integer, long: assay_integer, \
    long long: assay_integer, __int128: assay_integer, unsigned __int128: assay_unsigned, \
    default: assay_pointer)(x)
