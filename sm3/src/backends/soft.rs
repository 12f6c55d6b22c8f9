//! Portable scalar code: all rounds unrolled, the message schedule rolling through 16 words.
//!
//! Constant-time: additions, logic and rotations by constants.

use crate::consts::T;

/// P1 of the standard. Nested rotations need one copy of `x` less than the sum of three terms; they
/// are slower by a cycle, which the schedule can spare.
#[inline(always)]
fn p1(x: u32) -> u32 {
    x ^ (x ^ x.rotate_left(8)).rotate_left(15)
}

/// P0 of the standard, on the critical path: flat.
#[inline(always)]
fn p0(x: u32) -> u32 {
    x ^ x.rotate_left(9) ^ x.rotate_left(17)
}

/// Round `$j`. The registers do not move: the next round is given their names in another order.
///
/// `$ff` and `$gg` are the terms that the Boolean functions add. The order of the additions, and the
/// place of the schedule one word ahead of its use, were chosen by measurement on x86-64.
macro_rules! round {
    ($j:expr, $w:ident, $a:ident $b:ident $c:ident $d:ident $e:ident $f:ident $g:ident $h:ident,
     [$($ff:expr),+], $gg:expr) => {
        let a12 = $a.rotate_left(12);
        // The constant goes to the operand that is ready first.
        let ss1 = a12.wrapping_add(const { T[$j] }).wrapping_add($e).rotate_left(7);
        let ss2 = ss1 ^ a12;
        $d = $d$(.wrapping_add($ff))+
            .wrapping_add($w[$j % 16] ^ $w[($j + 4) % 16])
            .wrapping_add(ss2);
        $h = p0($h.wrapping_add($gg).wrapping_add($w[$j % 16]).wrapping_add(ss1));
        $b = $b.rotate_left(9);
        $f = $f.rotate_left(19);
        // W[j + 5] takes the place of W[j - 11], which is used up.
        if $j >= 11 && $j < 63 {
            $w[($j + 5) % 16] = p1($w[($j + 5) % 16]
                ^ $w[($j + 12) % 16]
                ^ $w[($j + 2) % 16].rotate_left(15))
                ^ $w[($j + 8) % 16].rotate_left(7)
                ^ $w[($j + 15) % 16];
        }
    };
}

/// A round of the first 16: both functions are the exclusive or.
macro_rules! early {
    ($j:expr, $w:ident, $a:ident $b:ident $c:ident $d:ident $e:ident $f:ident $g:ident $h:ident) => {
        round!($j, $w, $a $b $c $d $e $f $g $h, [$a ^ $b ^ $c], $e ^ $f ^ $g)
    };
}

/// A round of the other 48. The majority is the sum of two terms that share no bit.
macro_rules! late {
    ($j:expr, $w:ident, $a:ident $b:ident $c:ident $d:ident $e:ident $f:ident $g:ident $h:ident) => {
        round!($j, $w, $a $b $c $d $e $f $g $h, [$b & $c, $a & ($b ^ $c)], (($f ^ $g) & $e) ^ $g)
    };
}

/// Four rounds from `$j` on, after which every register has its name back.
macro_rules! four {
    ($round:ident, $j:expr, $w:ident,
     $a:ident $b:ident $c:ident $d:ident $e:ident $f:ident $g:ident $h:ident) => {
        $round!($j, $w, $a $b $c $d $e $f $g $h);
        $round!($j + 1, $w, $d $a $b $c $h $e $f $g);
        $round!($j + 2, $w, $c $d $a $b $g $h $e $f);
        $round!($j + 3, $w, $b $c $d $a $f $g $h $e);
    };
}

/// Sixteen rounds from `$j` on.
macro_rules! sixteen {
    ($round:ident, $j:expr, $w:ident, $($register:ident)+) => {
        four!($round, $j, $w, $($register)+);
        four!($round, $j + 4, $w, $($register)+);
        four!($round, $j + 8, $w, $($register)+);
        four!($round, $j + 12, $w, $($register)+);
    };
}

/// Compresses `blocks` into `state`, one after the other.
pub(crate) fn compress(state: &mut [u32; 8], blocks: &[[u8; 64]]) {
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *state;
    for block in blocks {
        let before = [a, b, c, d, e, f, g, h];
        let (words, _) = block.as_chunks::<4>();
        let mut w: [u32; 16] = core::array::from_fn(|i| u32::from_be_bytes(words[i]));
        sixteen!(early, 0, w, a b c d e f g h);
        sixteen!(late, 16, w, a b c d e f g h);
        sixteen!(late, 32, w, a b c d e f g h);
        sixteen!(late, 48, w, a b c d e f g h);
        a ^= before[0];
        b ^= before[1];
        c ^= before[2];
        d ^= before[3];
        e ^= before[4];
        f ^= before[5];
        g ^= before[6];
        h ^= before[7];
    }
    *state = [a, b, c, d, e, f, g, h];
}
