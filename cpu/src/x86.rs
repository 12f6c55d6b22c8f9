//! Detection on x86 and x86-64, by CPUID and XGETBV.

pub(crate) mod features;
mod registers;

pub(crate) use features::Features;

/// Whether the running machine has all of the features.
macro_rules! detect {
    ($($feature:tt)+) => {
        $crate::x86::detected()
            .has($crate::x86::Features::NONE$(.and($crate::x86::features::named!($feature)))+)
    };
}

/// What the running machine has, found on the first call and kept.
#[cfg(not(any(target_env = "sgx", target_os = "none", target_os = "uefi", miri)))]
#[inline]
pub(crate) fn detected() -> Features {
    use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

    /// Marks a value that has been stored; `Features` leaves this bit free.
    const FOUND: u32 = 1 << 31;
    static CACHE: AtomicU32 = AtomicU32::new(0);

    #[cold]
    fn find() -> Features {
        let features = Features::of(&registers::Registers::of_this_cpu());
        // One word that every thread computes alike: no order with other memory is needed.
        CACHE.store(features.bits() | FOUND, Relaxed);
        features
    }

    let cached = CACHE.load(Relaxed);
    if cached & FOUND == 0 {
        find()
    } else {
        Features::from_bits(cached & !FOUND)
    }
}

/// Enclaves may not execute CPUID, freestanding code and firmware set no vector state up, and an
/// interpreter has no CPU: only what the compiler was told counts there.
#[cfg(any(target_env = "sgx", target_os = "none", target_os = "uefi", miri))]
#[inline]
pub(crate) fn detected() -> Features {
    Features::NONE
}
