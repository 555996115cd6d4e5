// For 64-bit ARM, and to be included before Eigen: multiplication and addition of pairs of doubles round separately, as they
// do on x86-64. Eigen's products there call fused intrinsics, so that results would differ in the last digits. The compiler
// does not fuse these either (-ffp-contract=off). Empty on other processors.
#pragma once

#if defined(__aarch64__)
#include <arm_neon.h>
#define vfmaq_f64(sum, a, b) vaddq_f64((sum), vmulq_f64((a), (b)))
#define vfmaq_n_f64(sum, a, b) vaddq_f64((sum), vmulq_n_f64((a), (b)))
#define vfmaq_laneq_f64(sum, a, b, lane) vaddq_f64((sum), vmulq_laneq_f64((a), (b), (lane)))
#endif
