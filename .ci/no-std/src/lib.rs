//! Links every crate of the workspace without `std`.
#![no_std]

extern crate ghash_simd as _;
extern crate shangmi_cpu as _;
extern crate sm3 as _;
extern crate sm4 as _;
extern crate sm4_ccm as _;
extern crate sm4_gcm as _;
extern crate sm4_modes as _;
extern crate sm4_xts as _;

use core::alloc::{GlobalAlloc, Layout};

/// There is no memory to give.
struct Nothing;

// SAFETY: never gives memory out, so none can be used wrongly.
unsafe impl GlobalAlloc for Nothing {
    unsafe fn alloc(&self, _: Layout) -> *mut u8 {
        core::ptr::null_mut()
    }

    unsafe fn dealloc(&self, _: *mut u8, _: Layout) {}
}

#[global_allocator]
static ALLOCATOR: Nothing = Nothing;

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {}
}
