#include <cstddef>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
extern "C" {
void assay_start(const char *); void assay_begin(int, int); void assay_done(void);
void assay_integer(long long); void assay_unsigned(unsigned long long);
void assay_float(double); void assay_number(double); void assay_bytes(const char *, std::size_t);
void assay_text(const void *); void assay_pointer(const volatile void *); void assay_list(int);
void assay_group(int); void assay_other(int);
}
namespace assay {
template <class T, class = void> struct is_range : std::false_type {};
template <class T> struct is_range<T, std::void_t<decltype(std::declval<const T &>().begin() !=
    std::declval<const T &>().end())>> : std::true_type {};
template <class T, class = void> struct is_tuple : std::false_type {};
template <class T> struct is_tuple<T, std::void_t<decltype(std::tuple_size<T>::value)>> : std::true_type {};
template <class T, class = void> struct is_unordered : std::false_type {};
template <class T> struct is_unordered<T, std::void_t<typename T::hasher>> : std::true_type {};
template <class T> struct is_optional : std::false_type {};
template <class T> struct is_optional<std::optional<T>> : std::true_type {};
template <class T> void send(const T &value) {
    if constexpr (std::is_same_v<T, std::nullptr_t>) assay_pointer(nullptr);
    else if constexpr (std::is_same_v<T, std::nullopt_t>) assay_text(nullptr);
    else if constexpr (is_optional<T>::value) {
        if (value) send(*value);
        else assay_text(nullptr);
    }
    else if constexpr (std::is_convertible_v<const T &, const char *>) assay_text(value);
    else if constexpr (std::is_convertible_v<const T &, std::string>) {
        std::string text(value);
        assay_bytes(text.data(), text.size());
    }
    else if constexpr (std::is_convertible_v<const T &, std::string_view>) {
        std::string_view text(value);
        assay_bytes(text.data(), text.size());
    }
    else if constexpr (std::is_same_v<T, float>) assay_float(value);
    else if constexpr (std::is_floating_point_v<T>) assay_number((double)value);
    else if constexpr (std::is_enum_v<T>) assay_integer((long long)value);
    else if constexpr (std::is_integral_v<T> && std::is_unsigned_v<T>) assay_unsigned(value);
    else if constexpr (std::is_integral_v<T>) assay_integer(value);
    else if constexpr (std::is_pointer_v<T>) assay_pointer((const void *)value);
    else if constexpr (is_range<T>::value) {
        constexpr bool ordered = !is_unordered<T>::value;
        ordered ? assay_list(1) : assay_group(1);
        for (auto at = value.begin(); at != value.end(); ++at) {
            const typename std::decay<decltype(*at)>::type &item = *at;
            send(item);
        }
        ordered ? assay_list(0) : assay_group(0);
    }
    else if constexpr (is_tuple<T>::value) {
        assay_list(1);
        std::apply([](const auto &...item) { (send(item), ...); }, value);
        assay_list(0);
    }
    else if constexpr (std::is_convertible_v<const T &, double>) assay_number((double)value);
    else assay_other(0);
}
template <class T> constexpr bool is_opaque() {
    if constexpr (!std::is_class_v<T> || std::is_convertible_v<const T &, std::string>) return false;
    else if constexpr (is_optional<T>::value) return is_opaque<typename T::value_type>();
    else if constexpr (is_range<T>::value)
        return is_opaque<typename std::decay<decltype(*std::declval<const T &>().begin())>::type>();
    else return true;
}
template <class A, class B> void send_wanted(const A &got, const B &wanted) {
    if constexpr (std::is_same_v<A, B> && is_opaque<B>())
        assay_other(got == wanted);
    else send(wanted);
}
}
#define ASSAY_SEND(x) assay::send(x)
