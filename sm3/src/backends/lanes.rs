//! Many messages at once, one in each lane of vectors of 32-bit words: what the kernels share.

/// The states of `L` messages: word `i` of the state in lane `j` is `self.0[i][j]`.
#[derive(Clone)]
#[repr(C, align(64))]
pub(crate) struct States<const L: usize>(pub(crate) [[u32; L]; 8]);

impl States<1> {
    pub(crate) fn of(state: &[u32; 8]) -> Self {
        Self(state.map(|word| [word]))
    }
}

impl<const L: usize> States<L> {
    pub(crate) const ZERO: Self = Self([[0; L]; 8]);

    /// The state of one lane.
    #[inline]
    pub(crate) fn get(&self, lane: usize) -> [u32; 8] {
        core::array::from_fn(|i| self.0[i][lane])
    }

    /// Sets the state of one lane.
    #[inline]
    pub(crate) fn set(&mut self, lane: usize, state: &[u32; 8]) {
        for (words, word) in self.0.iter_mut().zip(state) {
            words[lane] = *word;
        }
    }
}

#[cfg(feature = "zeroize")]
impl<const L: usize> Drop for States<L> {
    #[inline]
    fn drop(&mut self) {
        self.0 = [[0; L]; 8];
        digest::zeroize::optimization_barrier(self);
    }
}

/// The runs of blocks that the lanes take next, all of one length.
pub(crate) type Runs<'a, const L: usize> = [&'a [[u8; 64]]; L];

/// What a kernel of `L` lanes answers. It is implemented by the proof that the machine can run it.
pub(crate) trait Kernel<const L: usize>: Copy {
    /// Up to so many messages are done sooner one after the other.
    const FEW: usize;

    /// Compresses the blocks of every lane into its state.
    ///
    /// # Panics
    /// If the runs are not of one length.
    fn compress(self, states: &mut States<L>, runs: &Runs<'_, L>);

    /// PBKDF2's chain in every lane: `times` times, `u` becomes its HMAC under the key that led to the states `inner` and
    /// `outer`, and is added to `sum`. A sum is exclusive or, words are as in the state.
    fn chain(
        self,
        inner: &States<L>,
        outer: &States<L>,
        u: &mut States<L>,
        sum: &mut States<L>,
        times: u32,
    );
}

/// The words of the block that ends a message of one block and a digest, behind the eight of the digest.
pub(crate) const AFTER_DIGEST: [u32; 8] = [0x8000_0000, 0, 0, 0, 0, 0, 0, 8 * (64 + 32)];

/// A round. The registers do not move: the next round is given their names in another order.
#[cfg(target_arch = "x86_64")]
macro_rules! lanes_round {
    ($j:expr, $w:ident, $boolean_a:ident $boolean_e:ident
     $a:ident $b:ident $c:ident $d:ident $e:ident $f:ident $g:ident $h:ident) => {
        let a12 = rotate::<12, 20>($a);
        let ss1 = rotate::<7, 25>(add(add(a12, splat(const { T[$j] })), $e));
        let ss2 = xor(ss1, a12);
        let w1 = xor($w[$j % 16], $w[($j + 4) % 16]);
        $d = add(add($d, $boolean_a($a, $b, $c)), add(ss2, w1));
        $h = p0(add(add($h, $boolean_e($e, $f, $g)), add(ss1, $w[$j % 16])));
        $b = rotate::<9, 23>($b);
        $f = rotate::<19, 13>($f);
        // One word ahead of its use.
        if $j >= 11 && $j < 63 {
            expand(&mut $w, $j + 5);
        }
    };
}

/// Sixteen rounds, after which every register has its name back.
#[cfg(target_arch = "x86_64")]
macro_rules! lanes_sixteen {
    ($j:expr, $w:ident, $boolean_a:ident $boolean_e:ident
     $a:ident $b:ident $c:ident $d:ident $e:ident $f:ident $g:ident $h:ident) => {
        lanes_sixteen!(@ $j, $w, $boolean_a $boolean_e $a $b $c $d $e $f $g $h);
        lanes_sixteen!(@ $j + 4, $w, $boolean_a $boolean_e $a $b $c $d $e $f $g $h);
        lanes_sixteen!(@ $j + 8, $w, $boolean_a $boolean_e $a $b $c $d $e $f $g $h);
        lanes_sixteen!(@ $j + 12, $w, $boolean_a $boolean_e $a $b $c $d $e $f $g $h);
    };
    (@ $j:expr, $w:ident, $boolean_a:ident $boolean_e:ident
     $a:ident $b:ident $c:ident $d:ident $e:ident $f:ident $g:ident $h:ident) => {
        lanes_round!($j, $w, $boolean_a $boolean_e $a $b $c $d $e $f $g $h);
        lanes_round!($j + 1, $w, $boolean_a $boolean_e $d $a $b $c $h $e $f $g);
        lanes_round!($j + 2, $w, $boolean_a $boolean_e $c $d $a $b $g $h $e $f);
        lanes_round!($j + 3, $w, $boolean_a $boolean_e $b $c $d $a $f $g $h $e);
    };
}

/// Makes a kernel of the vector functions in scope. They mean, in each lane:
///
/// - `rotate::<N, M>(x)`: x <<< N, with M = 32 - N;
/// - `add(x, y)`, `xor(x, y)`, `xor3(x, y, z)`, `majority(x, y, z)`, `choose(x, y, z)` (x chooses y or z);
/// - `p0(x)`, `p1(x)`: the standard's permutations; `splat(x)`: x in every lane;
/// - `pieces(blocks, i, at)`: words `at` to `at + 3` of lanes i, i + 4, i + 8, and so on, as they are in memory, lane by lane;
/// - `low(x, y)`, `high(x, y)`, `low_pairs(x, y)`, `high_pairs(x, y)`: in every 128 bits, the interleaved lower or upper
///   words or pairs of words;
/// - `big_endian(x)`: the bytes of the words reversed; `load(words)`, `store(words, x)`.
#[cfg(target_arch = "x86_64")]
macro_rules! lanes_kernel {
    ($token:ident, $features:literal, $vector:ident, $lanes:literal, few: $few:literal) => {
        /// Puts W[j] into the place of W[j - 16].
        #[inline]
        #[target_feature(enable = $features)]
        fn expand(w: &mut [$vector; 16], j: usize) {
            let last = rotate::<15, 17>(w[(j + 13) % 16]);
            let x = xor3(w[j % 16], w[(j + 7) % 16], last);
            w[j % 16] = xor3(
                p1(x),
                rotate::<7, 25>(w[(j + 3) % 16]),
                w[(j + 10) % 16],
            );
        }

        /// The 64 rounds. A function, and without the sum at its end, so that its callers share it and its
        /// registers are enough.
        #[inline(never)]
        #[target_feature(enable = $features)]
        fn rounds(v: &[$vector; 8], words: &[$vector; 16]) -> [$vector; 8] {
            let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *v;
            let mut w = *words;
            lanes_sixteen!(0, w, xor3 xor3 a b c d e f g h);
            lanes_sixteen!(16, w, majority choose a b c d e f g h);
            lanes_sixteen!(32, w, majority choose a b c d e f g h);
            lanes_sixteen!(48, w, majority choose a b c d e f g h);
            [a, b, c, d, e, f, g, h]
        }

        /// The compression function, of which `v` becomes the value.
        #[inline]
        #[target_feature(enable = $features)]
        fn compress_words(v: &mut [$vector; 8], words: &[$vector; 16]) {
            let added = rounds(v, words);
            for (v, added) in v.iter_mut().zip(added) {
                *v = xor(*v, added);
            }
        }

        /// Words `at` to `at + 3` of a block in every lane.
        #[inline]
        #[target_feature(enable = $features)]
        fn load_four(blocks: &[&[u8; 64]; $lanes], at: usize) -> [$vector; 4] {
            let rows: [$vector; 4] = [
                big_endian(pieces(blocks, 0, at)),
                big_endian(pieces(blocks, 1, at)),
                big_endian(pieces(blocks, 2, at)),
                big_endian(pieces(blocks, 3, at)),
            ];
            let (a, b) = (low(rows[0], rows[1]), low(rows[2], rows[3]));
            let (c, d) = (high(rows[0], rows[1]), high(rows[2], rows[3]));
            [
                low_pairs(a, b),
                high_pairs(a, b),
                low_pairs(c, d),
                high_pairs(c, d),
            ]
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn load_states(states: &States<$lanes>) -> [$vector; 8] {
            let s = &states.0;
            [
                load(&s[0]),
                load(&s[1]),
                load(&s[2]),
                load(&s[3]),
                load(&s[4]),
                load(&s[5]),
                load(&s[6]),
                load(&s[7]),
            ]
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn store_states(states: &mut States<$lanes>, v: [$vector; 8]) {
            for (words, v) in states.0.iter_mut().zip(v) {
                store(words, v);
            }
        }

        #[target_feature(enable = $features)]
        fn compress_runs(states: &mut States<$lanes>, runs: &Runs<'_, $lanes>) {
            let count = runs[0].len();
            assert!(runs.iter().all(|run| run.len() == count));
            let mut v = load_states(states);
            for i in 0..count {
                let blocks: [&[u8; 64]; $lanes] = core::array::from_fn(|lane| {
                    // SAFETY: every run has `count` blocks, which has been asserted.
                    unsafe { runs[lane].get_unchecked(i) }
                });
                let [w0, w1, w2, w3] = load_four(&blocks, 0);
                let [w4, w5, w6, w7] = load_four(&blocks, 4);
                let [w8, w9, w10, w11] = load_four(&blocks, 8);
                let [w12, w13, w14, w15] = load_four(&blocks, 12);
                compress_words(
                    &mut v,
                    &[
                        w0, w1, w2, w3, w4, w5, w6, w7, w8, w9, w10, w11, w12, w13, w14, w15,
                    ],
                );
            }
            store_states(states, v);
        }

        /// The compression of the digest `u` and what ends its message, from the state `v` on.
        #[inline]
        #[target_feature(enable = $features)]
        fn compress_digest(mut v: [$vector; 8], u: [$vector; 8]) -> [$vector; 8] {
            let [u0, u1, u2, u3, u4, u5, u6, u7] = u;
            let (end, zero, length) = (
                splat(AFTER_DIGEST[0]),
                splat(AFTER_DIGEST[1]),
                splat(AFTER_DIGEST[7]),
            );
            compress_words(
                &mut v,
                &[
                    u0, u1, u2, u3, u4, u5, u6, u7, end, zero, zero, zero, zero, zero, zero, length,
                ],
            );
            v
        }

        #[target_feature(enable = $features)]
        fn chain_lanes(
            inner: &States<$lanes>,
            outer: &States<$lanes>,
            u: &mut States<$lanes>,
            sum: &mut States<$lanes>,
            times: u32,
        ) {
            let mut v = load_states(u);
            for _ in 0..times {
                v = compress_digest(load_states(inner), v);
                v = compress_digest(load_states(outer), v);
                for (words, v) in sum.0.iter_mut().zip(v) {
                    store(words, xor(load(words), v));
                }
            }
            store_states(u, v);
        }

        impl Kernel<$lanes> for $token {
            const FEW: usize = $few;

            #[inline]
            fn compress(self, states: &mut States<$lanes>, runs: &Runs<'_, $lanes>) {
                // SAFETY: the token proves the features.
                unsafe { compress_runs(states, runs) }
            }

            #[inline]
            fn chain(
                self,
                inner: &States<$lanes>,
                outer: &States<$lanes>,
                u: &mut States<$lanes>,
                sum: &mut States<$lanes>,
                times: u32,
            ) {
                // SAFETY: the token proves the features.
                unsafe { chain_lanes(inner, outer, u, sum, times) }
            }
        }
    };
}

#[cfg(target_arch = "x86_64")]
pub(crate) use {lanes_kernel, lanes_round, lanes_sixteen};
