//! The symbols that lowering maps intrinsics and libm names to: `__threadwise_<name>_f32` and `_f64`.

macro_rules! export {
    ($($symbol:ident = $module:ident :: $function:ident ( $($argument:ident : $ty:ty),* ) -> $result:ty;)*) => {
        $(
            #[doc = concat!("`", stringify!($module), "::", stringify!($function), "` under its linker name.")]
            #[unsafe(no_mangle)]
            pub extern "C" fn $symbol($($argument: $ty),*) -> $result {
                super::$module::$function($($argument),*)
            }
        )*
    };
}

export! {
    __threadwise_exp_f32 = exp::exp_f32(x: f32) -> f32;
    __threadwise_exp2_f32 = exp::exp2_f32(x: f32) -> f32;
    __threadwise_exp10_f32 = exp::exp10_f32(x: f32) -> f32;
    __threadwise_expm1_f32 = exp::expm1_f32(x: f32) -> f32;
    __threadwise_log_f32 = log::log_f32(x: f32) -> f32;
    __threadwise_log2_f32 = log::log2_f32(x: f32) -> f32;
    __threadwise_log10_f32 = log::log10_f32(x: f32) -> f32;
    __threadwise_log1p_f32 = log::log1p_f32(x: f32) -> f32;
    __threadwise_sin_f32 = trig::sin_f32(x: f32) -> f32;
    __threadwise_cos_f32 = trig::cos_f32(x: f32) -> f32;
    __threadwise_tan_f32 = trig::tan_f32(x: f32) -> f32;
    __threadwise_asin_f32 = inverse_trig::asin_f32(x: f32) -> f32;
    __threadwise_acos_f32 = inverse_trig::acos_f32(x: f32) -> f32;
    __threadwise_atan_f32 = inverse_trig::atan_f32(x: f32) -> f32;
    __threadwise_sinh_f32 = hyperbolic::sinh_f32(x: f32) -> f32;
    __threadwise_cosh_f32 = hyperbolic::cosh_f32(x: f32) -> f32;
    __threadwise_tanh_f32 = hyperbolic::tanh_f32(x: f32) -> f32;
    __threadwise_asinh_f32 = hyperbolic::asinh_f32(x: f32) -> f32;
    __threadwise_acosh_f32 = hyperbolic::acosh_f32(x: f32) -> f32;
    __threadwise_atanh_f32 = hyperbolic::atanh_f32(x: f32) -> f32;
    __threadwise_cbrt_f32 = root::cbrt_f32(x: f32) -> f32;
    __threadwise_round_f32 = fmod::round_f32(x: f32) -> f32;
    __threadwise_erf_f32 = erf::erf_f32(x: f32) -> f32;
    __threadwise_erfc_f32 = erf::erfc_f32(x: f32) -> f32;
    __threadwise_atan2_f32 = inverse_trig::atan2_f32(y: f32, x: f32) -> f32;
    __threadwise_pow_f32 = pow::pow_f32(x: f32, y: f32) -> f32;
    __threadwise_hypot_f32 = root::hypot_f32(x: f32, y: f32) -> f32;
    __threadwise_fmod_f32 = fmod::fmod_f32(x: f32, y: f32) -> f32;
    __threadwise_powi_f32 = pow::powi_f32(x: f32, n: i32) -> f32;
    __threadwise_exp_f64 = exp::exp_f64(x: f64) -> f64;
    __threadwise_exp2_f64 = exp::exp2_f64(x: f64) -> f64;
    __threadwise_exp10_f64 = exp::exp10_f64(x: f64) -> f64;
    __threadwise_expm1_f64 = exp::expm1_f64(x: f64) -> f64;
    __threadwise_log_f64 = log::log_f64(x: f64) -> f64;
    __threadwise_log2_f64 = log::log2_f64(x: f64) -> f64;
    __threadwise_log10_f64 = log::log10_f64(x: f64) -> f64;
    __threadwise_log1p_f64 = log::log1p_f64(x: f64) -> f64;
    __threadwise_sin_f64 = trig::sin_f64(x: f64) -> f64;
    __threadwise_cos_f64 = trig::cos_f64(x: f64) -> f64;
    __threadwise_tan_f64 = trig::tan_f64(x: f64) -> f64;
    __threadwise_asin_f64 = inverse_trig::asin_f64(x: f64) -> f64;
    __threadwise_acos_f64 = inverse_trig::acos_f64(x: f64) -> f64;
    __threadwise_atan_f64 = inverse_trig::atan_f64(x: f64) -> f64;
    __threadwise_sinh_f64 = hyperbolic::sinh_f64(x: f64) -> f64;
    __threadwise_cosh_f64 = hyperbolic::cosh_f64(x: f64) -> f64;
    __threadwise_tanh_f64 = hyperbolic::tanh_f64(x: f64) -> f64;
    __threadwise_asinh_f64 = hyperbolic::asinh_f64(x: f64) -> f64;
    __threadwise_acosh_f64 = hyperbolic::acosh_f64(x: f64) -> f64;
    __threadwise_atanh_f64 = hyperbolic::atanh_f64(x: f64) -> f64;
    __threadwise_cbrt_f64 = root::cbrt_f64(x: f64) -> f64;
    __threadwise_round_f64 = fmod::round_f64(x: f64) -> f64;
    __threadwise_erf_f64 = erf::erf_f64(x: f64) -> f64;
    __threadwise_erfc_f64 = erf::erfc_f64(x: f64) -> f64;
    __threadwise_atan2_f64 = inverse_trig::atan2_f64(y: f64, x: f64) -> f64;
    __threadwise_pow_f64 = pow::pow_f64(x: f64, y: f64) -> f64;
    __threadwise_hypot_f64 = root::hypot_f64(x: f64, y: f64) -> f64;
    __threadwise_fmod_f64 = fmod::fmod_f64(x: f64, y: f64) -> f64;
    __threadwise_powi_f64 = pow::powi_f64(x: f64, n: i32) -> f64;
}
