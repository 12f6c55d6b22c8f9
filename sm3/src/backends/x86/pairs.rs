//! What the kernels with scalar rounds share: pairs of blocks, their schedule in vectors of 256 bits, and the rounds in
//! assembly. The kernels say how it goes together.

#![allow(unsafe_code)]

use core::{
    arch::{asm, x86_64::*},
    mem::MaybeUninit,
    ptr,
};
#[cfg(feature = "zeroize")]
use digest::zeroize::optimization_barrier;

/// What the assembly works on. It knows the layout.
#[repr(C)]
pub(super) struct Scratch {
    /// The schedule of two blocks, by groups of three words: first W[3 i], W[3 i + 1] and W[3 i + 2] of the first block
    /// and four unused bytes, then those of the second block likewise; W' follows in the same form.
    pub(super) groups: [MaybeUninit<[__m256i; 2]>; 22],
    /// The state before the block.
    pub(super) before: MaybeUninit<[u32; 8]>,
}

impl Scratch {
    #[inline]
    pub(super) const fn new() -> Self {
        Self {
            groups: [MaybeUninit::uninit(); 22],
            before: MaybeUninit::uninit(),
        }
    }

    #[cfg(feature = "zeroize")]
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) fn wipe(&mut self) {
        for group in &mut self.groups {
            group.write([_mm256_setzero_si256(); 2]);
            // After each of them: a call to `memset` would take longer than the stores.
            optimization_barrier(group);
        }
        self.before.write([0; 8]);
        optimization_barrier(self);
    }
}

/// The place of W[$j] of a block, in the scratch to which r15 points.
macro_rules! w {
    ($j:tt) => {
        concat!("dword ptr [r15 + 4*", $j, " + 52*(", $j, "/3)]")
    };
}

/// The place of W[$j + 1].
macro_rules! w_next {
    ($j:tt) => {
        concat!("dword ptr [r15 + 4*(", $j, " + 1) + 52*((", $j, " + 1)/3)]")
    };
}

/// The place of W'[$j].
macro_rules! w1 {
    ($j:tt) => {
        concat!("dword ptr [r15 + 4*", $j, " + 52*(", $j, "/3) + 32]")
    };
}

/// The constant T of round `$j`, rotated, as a displacement of 32 bits with a sign.
macro_rules! constant {
    (early $j:literal) => {
        constant!("0x79cc4519", $j)
    };
    (late $j:literal) => {
        constant!("0x7a879d8a", $j)
    };
    ($t:literal, $j:literal) => {
        concat!(
            "((((",
            $t,
            " shl (",
            $j,
            " and 31)) or (",
            $t,
            " shr (32 - (",
            $j,
            " and 31))))",
            " and 0xffffffff xor 0x80000000) - 0x80000000)"
        )
    };
}

/// All 64 bits of a register.
macro_rules! wide {
    (eax) => {
        "rax"
    };
    (ecx) => {
        "rcx"
    };
    (edx) => {
        "rdx"
    };
    (esi) => {
        "rsi"
    };
    (edi) => {
        "rdi"
    };
    (r8d) => {
        "r8"
    };
    (r9d) => {
        "r9"
    };
    (r10d) => {
        "r10"
    };
    (r11d) => {
        "r11"
    };
    (r12d) => {
        "r12"
    };
}

/// A line of assembly: operation, destination, and up to two sources, of which the last may be a number or text.
macro_rules! ins {
    ($op:ident $dst:ident, $src:ident, $last:literal) => {
        concat!(stringify!($op), " ", stringify!($dst), ", ", stringify!($src), ", ", $last, "\n")
    };
    ($op:ident $dst:ident, $a:ident, $b:ident) => {
        concat!(stringify!($op), " ", stringify!($dst), ", ", stringify!($a), ", ", stringify!($b), "\n")
    };
    ($op:ident $dst:ident, $src:ident) => {
        concat!(stringify!($op), " ", stringify!($dst), ", ", stringify!($src), "\n")
    };
    ($op:ident $dst:ident, $($text:tt)+) => {
        concat!(stringify!($op), " ", stringify!($dst), ", ", $($text)+, "\n")
    };
}

/// Keeps lines for some kinds of rounds. `first` and `turn` compute the functions of the first 16 rounds, `late`
/// and `last` those of the others. `turn` and `late` stand before a `late` or the `last`, and prepare for it.
macro_rules! when {
    (early: first $($line:tt)+) => { concat!($($line)+) };
    (early: turn $($line:tt)+) => { concat!($($line)+) };
    (late: late $($line:tt)+) => { concat!($($line)+) };
    (late: last $($line:tt)+) => { concat!($($line)+) };
    (before_late: turn $($line:tt)+) => { concat!($($line)+) };
    (before_late: late $($line:tt)+) => { concat!($($line)+) };
    (not_last: first $($line:tt)+) => { concat!($($line)+) };
    (not_last: turn $($line:tt)+) => { concat!($($line)+) };
    (not_last: late $($line:tt)+) => { concat!($($line)+) };
    ($other:ident: $kind:ident $($line:tt)+) => { "" };
}

/// Round `$j`.
///
/// At its beginning `$f` holds f ^ g, `$f19` holds f <<< 19, and W is in `$h` already, as is f & g if the round is a
/// late one, for which ebx holds e ^ g; r13d holds a <<< 12; r14d and `$free` are free. The order of the lines was found
/// by measurement: it decides which of them wait for each other's ports.
macro_rules! round {
    ($kind:ident $j:literal:
     $a:ident $b:ident $c:ident $d:ident $e:ident $f:ident $g:ident $h:ident $f19:ident $free:ident) => {
        concat!(
            // SS1 in r14d; GG; TT2 in $h.
            "lea r14d, [", wide!($e), " + r13 + ",
            when!(early: $kind constant!(early $j)),
            when!(late: $kind constant!(late $j)),
            "]\n",
            when!(early: $kind ins!(xor $f, $e)),
            when!(late: $kind ins!(and $f, ebx)),
            when!(before_late: $kind ins!(mov ebx, $f19)),
            ins!(rol r14d, 7),
            ins!(add $h, $f),
            ins!(add $h, r14d),
            // SS2 in r13d; P0 of TT2, the next E, in $h, and what GG will want of it in ebx.
            ins!(rorx $f, $h, 15),
            ins!(xor r13d, r14d),
            ins!(rorx r14d, $h, 23),
            ins!(add $d, w1!($j)),
            when!(late: $kind ins!(mov $free, $b)),
            ins!(xor r14d, $f),
            when!(before_late: $kind ins!(xor ebx, $h)),
            ins!(xor $h, r14d),
            when!(before_late: $kind ins!(xor ebx, r14d)),
            // FF, in the late rounds (b & c) + (a & (b ^ c)); TT1, the next A, in $d; b <<< 9 in $free.
            when!(late: $kind ins!(and $free, $c), ins!(add $d, $free)),
            ins!(rorx $free, $b, 23),
            ins!(xor $b, $c),
            when!(early: $kind ins!(xor $b, $a)),
            when!(late: $kind ins!(and $b, $a)),
            ins!(add $d, $b),
            ins!(add $d, r13d),
            // What the next round finds: a <<< 12, W and f & g in its H, f <<< 19 in $b, f ^ g in $e.
            when!(before_late: $kind ins!(mov $b, $e)),
            when!(not_last: $kind ins!(rorx r13d, $d, 20)),
            when!(before_late: $kind ins!(and $b, $f19)),
            when!(not_last: $kind ins!(add $g, w_next!($j))),
            when!(before_late: $kind ins!(add $g, $b)),
            when!(not_last: $kind ins!(rorx $b, $e, 13), ins!(xor $e, $f19)),
        )
    };
}

/// A third of a step of the schedule, before round `$j` of the first block: three words of both blocks in three thirds.
///
/// `$w16` holds W[i - 16], W[i - 15] and W[i - 14] for some i, and the other names mean the like. `$w3`, `$w6` and `$w9`
/// are words that steps have computed; `$w7`, `$w10`, `$w13` and `$w16` are aligned as the groups are. A step aligns the
/// next group in `$w4`, writes it with its W', and leaves W[i] and its followers in `$w9`.
macro_rules! third {
    (off $($any:tt)+) => { "" };
    ($steps:ident none $($any:tt)+) => { "" };
    // In P1, x and x <<< 8 share the rotation by 15.
    (avx2 a $j:literal: $w16:ident $w13:ident $w10:ident $w7:ident $w4:ident $w9:ident $w6:ident $w3:ident) => {
        concat!(
            ins!(vpslldq ymm8, $w6, 4),
            ins!(vpalignr $w4, $w3, "ymm8, 12"),
            "vmovdqa [r15 + 64*(4 + ", $j, "/3)], ", stringify!($w4), "\n",
            ins!(vpslld ymm9, $w3, 15),
            ins!(vpsrld ymm10, $w3, 17),
            ins!(vpxor ymm11, $w16, $w9),
            ins!(vpxor ymm9, ymm9, ymm10),
        )
    };
    (avx2 b $j:literal: $w16:ident $w13:ident $w10:ident $w7:ident $w4:ident $w9:ident $w6:ident $w3:ident) => {
        concat!(
            ins!(vpslld ymm12, $w13, 7),
            ins!(vpsrld ymm13, $w13, 25),
            ins!(vpxor ymm9, ymm9, ymm11),
            ins!(vpxor ymm12, ymm12, $w6),
            ins!(vpshufb ymm10, ymm9, ymm15),
            ins!(vpxor ymm12, ymm12, ymm13),
            ins!(vpxor ymm10, ymm10, ymm9),
        )
    };
    (avx2 c $j:literal: $w16:ident $w13:ident $w10:ident $w7:ident $w4:ident $w9:ident $w6:ident $w3:ident) => {
        concat!(
            ins!(vpxor ymm9, ymm9, ymm12),
            ins!(vpslld ymm11, ymm10, 15),
            ins!(vpsrld ymm10, ymm10, 17),
            ins!(vpxor ymm9, ymm9, ymm11),
            ins!(vpxor $w9, ymm9, ymm10),
            ins!(vpxor ymm8, $w4, $w9),
            "vmovdqa [r15 + 64*(4 + ", $j, "/3) + 32], ymm8\n",
        )
    };
    (avx512vl a $j:literal: $w16:ident $w13:ident $w10:ident $w7:ident $w4:ident $w9:ident $w6:ident $w3:ident) => {
        concat!(
            ins!(vpslldq ymm8, $w6, 4),
            ins!(vpalignr $w4, $w3, "ymm8, 12"),
            "vmovdqa [r15 + 64*(4 + ", $j, "/3)], ", stringify!($w4), "\n",
            ins!(vprold ymm9, $w3, 15),
            ins!(vpternlogd $w9, $w16, "ymm9, 0x96"),
        )
    };
    (avx512vl b $j:literal: $w16:ident $w13:ident $w10:ident $w7:ident $w4:ident $w9:ident $w6:ident $w3:ident) => {
        concat!(
            ins!(vprold ymm12, $w13, 7),
            ins!(vprold ymm10, $w9, 15),
            ins!(vprold ymm11, $w9, 23),
            ins!(vpternlogd $w9, ymm10, "ymm11, 0x96"),
        )
    };
    (avx512vl c $j:literal: $w16:ident $w13:ident $w10:ident $w7:ident $w4:ident $w9:ident $w6:ident $w3:ident) => {
        concat!(
            ins!(vpternlogd $w9, $w6, "ymm12, 0x96"),
            ins!(vpxor ymm8, $w4, $w9),
            "vmovdqa [r15 + 64*(4 + ", $j, "/3) + 32], ymm8\n",
        )
    };
}

/// Rounds, each with the third of a step before it, and the registers renamed from one to the next.
macro_rules! rounds {
    ($steps:ident [$($register:ident)+] [$($group:ident)+] [$($word:ident)+]) => { "" };
    ($steps:ident
     [$a:ident $b:ident $c:ident $d:ident $e:ident $f:ident $g:ident $h:ident $f19:ident $free:ident]
     [$($group:ident)+] [$($word:ident)+]
     $kind:ident $third:ident $j:literal, $($rest:tt)*) => {
        concat!(
            third!($steps $third $j: $($group)+ $($word)+),
            round!($kind $j: $a $b $c $d $e $f $g $h $f19 $free),
            renamed!($third $steps [$d $a $free $c $h $e $f19 $g $b $f] [$($group)+] [$($word)+] $($rest)*)
        )
    };
}

/// The rest of the rounds; after a whole step, the vectors have new names too.
macro_rules! renamed {
    (c $steps:ident [$($register:ident)+]
     [$w16:ident $w13:ident $w10:ident $w7:ident $w4:ident] [$w9:ident $w6:ident $w3:ident] $($rest:tt)*) => {
        rounds!($steps [$($register)+] [$w13 $w10 $w7 $w4 $w16] [$w6 $w3 $w9] $($rest)*)
    };
    ($third:ident $steps:ident $($rest:tt)*) => { rounds!($steps $($rest)*) };
}

/// The 64 rounds, with the steps of the schedule or without (`off`).
macro_rules! all_rounds {
    ($steps:ident) => {
        rounds!($steps
            [eax ecx edx esi edi r8d r9d r10d r11d r12d]
            [ymm0 ymm1 ymm2 ymm3 ymm4] [ymm5 ymm6 ymm7]
            first a 0, first b 1, first c 2, first a 3, first b 4, first c 5, first a 6, first b 7, first c 8,
            first a 9, first b 10, first c 11, first a 12, first b 13, first c 14, turn a 15,
            late b 16, late c 17, late a 18, late b 19, late c 20, late a 21, late b 22, late c 23, late a 24,
            late b 25, late c 26, late a 27, late b 28, late c 29, late a 30, late b 31, late c 32, late a 33,
            late b 34, late c 35, late a 36, late b 37, late c 38, late a 39, late b 40, late c 41, late a 42,
            late b 43, late c 44, late a 45, late b 46, late c 47, late a 48, late b 49, late c 50, late a 51,
            late b 52, late c 53, late none 54, late none 55, late none 56, late none 57, late none 58,
            late none 59, late none 60, late none 61, late none 62, last none 63,
        )
    };
}

/// A line for the word `$i` of the state before the block.
macro_rules! before {
    (save $register:literal, $block:literal, $i:literal) => {
        concat!(
            "mov dword ptr [r15 + 64*22 - 16*",
            $block,
            " + 4*",
            $i,
            "], ",
            $register
        )
    };
    (add $register:literal, $block:literal, $i:literal) => {
        concat!(
            "xor ",
            $register,
            ", dword ptr [r15 + 64*22 - 16*",
            $block,
            " + 4*",
            $i,
            "]"
        )
    };
}

/// Compresses block `$block` (0 or 1) of the pair at `$scratch` into `$state`.
macro_rules! compress {
    ($state:ident, $scratch:expr, $block:literal, $steps:ident $(, $($vectors:tt)+)?) => {
        // 64 rounds leave the words of the state in other registers: a in r8d, b in r12d, and so on.
        asm!(
            // The compiler keeps rbx to itself.
            "push rbx",
            before!(save "eax", $block, 0),
            before!(save "ecx", $block, 1),
            before!(save "edx", $block, 2),
            before!(save "esi", $block, 3),
            before!(save "edi", $block, 4),
            before!(save "r8d", $block, 5),
            before!(save "r9d", $block, 6),
            before!(save "r10d", $block, 7),
            "rorx r13d, eax, 20",
            concat!("add r10d, ", w!(0)),
            "rorx r11d, r8d, 13",
            "xor r8d, r9d",
            all_rounds!($steps),
            before!(add "r8d", $block, 0),
            before!(add "r12d", $block, 1),
            before!(add "r10d", $block, 2),
            before!(add "edi", $block, 3),
            before!(add "ecx", $block, 4),
            before!(add "r11d", $block, 5),
            before!(add "esi", $block, 6),
            before!(add "eax", $block, 7),
            "pop rbx",
            inlateout("eax") $state[0] => $state[7],
            inlateout("ecx") $state[1] => $state[4],
            inlateout("edx") $state[2] => _,
            inlateout("esi") $state[3] => $state[6],
            inlateout("edi") $state[4] => $state[3],
            inlateout("r8d") $state[5] => $state[0],
            inlateout("r9d") $state[6] => _,
            inlateout("r10d") $state[7] => $state[2],
            out("r11d") $state[5],
            out("r12d") $state[1],
            out("r13d") _,
            out("r14d") _,
            in("r15") $scratch,
            $($($vectors)+)?
        )
    };
}

/// Three words of the schedule and one more, from word `WORD` of each block on.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn load<const WORD: usize>(first: &[u8; 64], second: &[u8; 64]) -> __m256i {
    let words = |block: &[u8; 64]| {
        const { assert!(WORD <= 12) };
        // SAFETY: the 16 bytes from 4 * WORD on end within the 64 of the block.
        unsafe { _mm_loadu_si128(block.as_ptr().add(4 * WORD).cast()) }
    };
    let both = _mm256_inserti128_si256::<1>(_mm256_castsi128_si256(words(first)), words(second));
    let big_endian = _mm256_broadcastsi128_si256(_mm_set_epi8(
        12, 13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3,
    ));
    _mm256_shuffle_epi8(both, big_endian)
}

/// Compresses the second block of a pair into `state`.
///
/// # Safety
/// `compress_first` of [`pairs_kernel`] must have filled `scratch`.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2")]
pub(super) unsafe fn compress_second(state: &mut [u32; 8], scratch: &mut Scratch) {
    let words = ptr::from_mut(scratch).cast::<__m128i>();
    // SAFETY: `scratch` has more than the 16 bytes before the first words of its second block.
    let words = unsafe { words.add(1) };
    // SAFETY: this function's features are those of the instructions. They read and write within `scratch`, of the
    // schedule only what the caller promises has been written. All registers that change are declared but for
    // rbx, which is restored.
    unsafe { compress!(state, words, 1, off) }
}

/// Makes `compress_blocks` for CPU features, with the steps that they allow and the constant that these want.
macro_rules! pairs_kernel {
    ($features:literal, $steps:ident, $constant:expr) => {
        /// Compresses `first` into `state`, and leaves the schedule of both blocks behind.
        #[inline]
        #[target_feature(enable = $features)]
        fn compress_first(
            state: &mut [u32; 8],
            scratch: &mut Scratch,
            first: &[u8; 64],
            second: &[u8; 64],
        ) {
            let w0 = load::<0>(first, second);
            let w3 = load::<3>(first, second);
            let w6 = load::<6>(first, second);
            let w9 = load::<9>(first, second);
            let w4 = load::<4>(first, second);
            let w7 = load::<7>(first, second);
            let w10 = load::<10>(first, second);
            let w13 = _mm256_bsrli_epi128::<4>(load::<12>(first, second));
            scratch.groups[0].write([w0, _mm256_xor_si256(w0, w4)]);
            scratch.groups[1].write([w3, _mm256_xor_si256(w3, w7)]);
            scratch.groups[2].write([w6, _mm256_xor_si256(w6, w10)]);
            scratch.groups[3].write([w9, _mm256_xor_si256(w9, w13)]);
            // SAFETY: this function's features are those of the instructions. They read and write within `scratch`, with
            // vectors aligned to 32 bytes as its type is, and read what was written above or by earlier instructions. All
            // registers that change are declared but for rbx, which is restored.
            unsafe {
                compress!(state, scratch, 0, $steps,
                    inlateout("ymm0") w0 => _,
                    inlateout("ymm1") w3 => _,
                    inlateout("ymm2") w6 => _,
                    inlateout("ymm3") w9 => _,
                    out("ymm4") _,
                    inlateout("ymm5") w7 => _,
                    inlateout("ymm6") w10 => _,
                    inlateout("ymm7") w13 => _,
                    out("ymm8") _,
                    out("ymm9") _,
                    out("ymm10") _,
                    out("ymm11") _,
                    out("ymm12") _,
                    out("ymm13") _,
                    in("ymm15") $constant,
                );
            }
        }

        #[target_feature(enable = $features)]
        fn compress_blocks(state: &mut [u32; 8], blocks: &[[u8; 64]]) {
            let mut scratch = Scratch::new();
            let (pairs, last) = blocks.as_chunks::<2>();
            for [first, second] in pairs {
                compress_first(state, &mut scratch, first, second);
                // SAFETY: it has just been filled.
                unsafe { compress_second(state, &mut scratch) };
            }
            if let [last] = last {
                compress_first(state, &mut scratch, last, last);
            }
            #[cfg(feature = "zeroize")]
            scratch.wipe();
        }
    };
}

pub(super) use {
    all_rounds, before, compress, constant, ins, pairs_kernel, renamed, round, rounds, third, w,
    w_next, w1, when, wide,
};

#[cfg(all(test, feature = "zeroize"))]
mod tests {
    use super::*;

    #[test]
    fn the_scratch_is_wiped() {
        if shangmi_cpu::Avx2Bmi2::check().is_none() {
            return;
        }
        let mut scratch = Scratch::new();
        // SAFETY: the token has been checked.
        let ones = unsafe { _mm256_set1_epi8(-1) };
        scratch.groups = [MaybeUninit::new([ones; 2]); 22];
        scratch.before.write([u32::MAX; 8]);
        // SAFETY: the token has been checked.
        unsafe { scratch.wipe() };
        let bytes = (&raw const scratch).cast::<[u8; size_of::<Scratch>()]>();
        // SAFETY: the pointer is to all of `scratch`, which has no padding and has just been written.
        assert_eq!(unsafe { bytes.read_volatile() }, [0; size_of::<Scratch>()]);
    }
}
