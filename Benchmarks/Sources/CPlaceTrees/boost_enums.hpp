/*
 * Three enumerations of Boost.NumericConversion, with an underlying type. Boost.MPL of Boost before 1.81 counts down from their first
 * enumerator, which compilers take for the error that it is where the type is not fixed (clang 16 and later). Included first.
 */
#ifndef BELFRY_BENCHMARK_BOOST_ENUMS_HPP
#define BELFRY_BENCHMARK_BOOST_ENUMS_HPP

#define BOOST_NUMERIC_CONVERSION_UDT_BUILTIN_MIXTURE_ENUM_FLC_12NOV2002_HPP
#define BOOST_NUMERIC_CONVERSION_INT_FLOAT_MIXTURE_ENUM_FLC_12NOV2002_HPP
#define BOOST_NUMERIC_CONVERSION_SIGN_MIXTURE_ENUM_FLC_12NOV2002_HPP

namespace boost {
namespace numeric {
enum udt_builtin_mixture_enum : int { builtin_to_builtin, builtin_to_udt, udt_to_builtin, udt_to_udt };
enum int_float_mixture_enum : int { integral_to_integral, integral_to_float, float_to_integral, float_to_float };
enum sign_mixture_enum : int { unsigned_to_unsigned, signed_to_signed, signed_to_unsigned, unsigned_to_signed };
} // namespace numeric
} // namespace boost

#endif
