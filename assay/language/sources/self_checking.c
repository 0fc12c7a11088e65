#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
@header@

static char assay_got[400];
static int assay_same_text(const char *a, const char *b) {
    snprintf(assay_got, sizeof assay_got, a ? "\"%s\"" : "NULL", a);
    return a == b || (a && b && strcmp(a, b) == 0);
}
static int assay_close(double a, double b, double off) {
    snprintf(assay_got, sizeof assay_got, "%.17g", a);
    if (isinf(a) || isinf(b)) return a == b;
    return a == b || fabs(a - b) <= off * fmax(fabs(a), fabs(b)) || (isnan(a) && isnan(b));
}
static int assay_same_number(double a, double b) { return assay_close(a, b, 1e-9); }
static int assay_same_float(double a, double b) { return assay_close(a, b, 1e-5); }
static int assay_same_integer(long long a, long long b) {
    snprintf(assay_got, sizeof assay_got, "%lld", a);
    return a == b;
}
static int assay_same_pointer(const void *a, const void *b) {
    snprintf(assay_got, sizeof assay_got, "%p", (void *)a);
    return a == b;
}
#ifdef __cplusplus
#include <string>
#include <type_traits>
template <class A, class B> static int assay_same(const A &a, const B &b) {
    snprintf(assay_got, sizeof assay_got, "something else");
    if constexpr (std::is_convertible<A, std::string>::value && std::is_convertible<B, std::string>::value)
        return assay_same_text(std::string(a).c_str(), std::string(b).c_str());
    else if constexpr (std::is_same<A, float>::value)
        return assay_same_float(a, b);
    else if constexpr (std::is_floating_point<A>::value && std::is_arithmetic<B>::value)
        return assay_same_number(a, b);
    else if constexpr (std::is_integral<A>::value && std::is_integral<B>::value)
        return assay_same_integer(a, b);
    else
        return a == b;
}
#define ASSAY_SAME(a, b) assay_same(a, b)
#else
#define ASSAY_SAME(a, b) \
    _Generic((a), char *: assay_same_text, const char *: assay_same_text, \
        float: assay_same_float, double: assay_same_number, long double: assay_same_number, \
        void *: assay_same_pointer, const void *: assay_same_pointer, \
        default: assay_same_integer)((a), (b))
#endif
@extra_methods@

int main(void) {
    int failed = 0;
@statements@
@checks@
    if (failed)
        printf("%d of @count@ tests failed\n", failed);
    else
        printf("all tests passed: %s\n", @token@);
    return failed != 0;
}
