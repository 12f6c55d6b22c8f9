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

/// A round of the sixteen that add the constants `$t`. The registers do not move: the next round is given their names
/// in another order. `$b` and `$f` are rotated before the Boolean functions, whose results can then take the places of
/// the old ones.
#[cfg(target_arch = "x86_64")]
macro_rules! lanes_round {
    ($j:expr, $t:ident, $w:ident, $boolean_a:ident $boolean_e:ident
     $a:ident $b:ident $c:ident $d:ident $e:ident $f:ident $g:ident $h:ident) => {
        let a12 = rotate::<12, 20>($a);
        let ss1 = rotate::<7, 25>(add(add(a12, splat($t[$j])), $e));
        let ss2 = xor(ss1, a12);
        let w1 = xor($w[$j], $w[($j + 4) % 16]);
        let (b9, f19) = (rotate::<9, 23>($b), rotate::<19, 13>($f));
        $d = add(add(add($d, w1), $boolean_a($a, $b, $c)), ss2);
        $h = p0(add(add(add($h, $w[$j]), $boolean_e($e, $f, $g)), ss1));
        ($b, $f) = (b9, f19);
    };
}

/// Sixteen rounds, after which every register has its name back. `$before` comes before round `$j` of them.
#[cfg(target_arch = "x86_64")]
macro_rules! lanes_sixteen {
    ($j:ident => $before:expr, $t:ident, $w:ident, $boolean_a:ident $boolean_e:ident
     $a:ident $b:ident $c:ident $d:ident $e:ident $f:ident $g:ident $h:ident) => {
        lanes_sixteen!(@ 0, $j => $before, $t, $w, $boolean_a $boolean_e $a $b $c $d $e $f $g $h);
        lanes_sixteen!(@ 4, $j => $before, $t, $w, $boolean_a $boolean_e $a $b $c $d $e $f $g $h);
        lanes_sixteen!(@ 8, $j => $before, $t, $w, $boolean_a $boolean_e $a $b $c $d $e $f $g $h);
        lanes_sixteen!(@ 12, $j => $before, $t, $w, $boolean_a $boolean_e $a $b $c $d $e $f $g $h);
    };
    (@ $from:expr, $j:ident => $before:expr, $t:ident, $w:ident, $boolean_a:ident $boolean_e:ident
     $a:ident $b:ident $c:ident $d:ident $e:ident $f:ident $g:ident $h:ident) => {
        let $j = $from;
        $before;
        lanes_round!($from, $t, $w, $boolean_a $boolean_e $a $b $c $d $e $f $g $h);
        let $j = $from + 1;
        $before;
        lanes_round!($from + 1, $t, $w, $boolean_a $boolean_e $d $a $b $c $h $e $f $g);
        let $j = $from + 2;
        $before;
        lanes_round!($from + 2, $t, $w, $boolean_a $boolean_e $c $d $a $b $g $h $e $f);
        let $j = $from + 3;
        $before;
        lanes_round!($from + 3, $t, $w, $boolean_a $boolean_e $b $c $d $a $f $g $h $e);
    };
}

/// Makes a kernel of the functions in scope. They mean, in each lane:
///
/// - `rotate::<N, M>(x)`: x <<< N, with M = 32 - N;
/// - `add(x, y)`, `xor(x, y)`, `xor3(x, y, z)`, `majority(x, y, z)`, `choose(x, y, z)` (x chooses y or z);
/// - `p0(x)`, `p1(x)`: the standard's permutations; `splat(x)`: x in every lane;
/// - `low(x, y)`, `high(x, y)`, `low_pairs(x, y)`, `high_pairs(x, y)`: in every 128 bits, the interleaved lower or upper
///   words or pairs of words;
/// - `big_endian(x)`: the bytes of the words reversed; `load(words)`, `store(words, x)`;
/// - `compress_runs(states, runs)`: what [`Kernel::compress`] says. [`lanes_runs`] makes one.
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

        /// The compression function, of which `v` becomes the value. `four` gives words `at` to `at + 3` of the block,
        /// shortly before they are needed; `during` is called in each of the first sixteen rounds.
        ///
        /// Between one block and the next the state stays in registers: the way through memory is long, and no round
        /// can begin before its end. Rounds 16 to 63 are a loop, so that the CPU has room for them where it keeps
        /// decoded instructions.
        #[inline]
        #[target_feature(enable = $features)]
        fn compress_block(
            v: &mut [$vector; 8],
            four: impl Fn(usize) -> [$vector; 4],
            mut during: impl FnMut(usize),
        ) {
            let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *v;
            let mut w = [splat(0); 16];
            w[..4].copy_from_slice(&four(0));
            let (t, _) = const { T.as_chunks::<16>() };
            let first = &t[0];
            lanes_sixteen!(
                j => {
                    if j % 4 == 0 && j < 12 {
                        w[j + 4..j + 8].copy_from_slice(&four(j + 4));
                    }
                    during(j);
                    if j >= 12 {
                        expand(&mut w, j + 4);
                    }
                },
                first, w, xor3 xor3 a b c d e f g h
            );
            // Opaque, or the loop would be unrolled.
            for t in core::hint::black_box(&t[1..]) {
                lanes_sixteen!(j => expand(&mut w, j + 4), t, w, majority choose a b c d e f g h);
            }
            for (v, added) in v.iter_mut().zip([a, b, c, d, e, f, g, h]) {
                *v = xor(*v, added);
            }
        }

        /// Four words of a block in every lane, of their pieces: the words of lanes i, i + 4, i + 8, and so on, as they
        /// are in memory, lane by lane.
        #[inline]
        #[target_feature(enable = $features)]
        fn transposed(pieces: [$vector; 4]) -> [$vector; 4] {
            let [x, y, z, t] = pieces;
            let (x, y) = (big_endian(x), big_endian(y));
            let (z, t) = (big_endian(z), big_endian(t));
            let (a, b) = (low(x, y), low(z, t));
            let (c, d) = (high(x, y), high(z, t));
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
        fn chain_lanes(
            inner: &States<$lanes>,
            outer: &States<$lanes>,
            u: &mut States<$lanes>,
            sum: &mut States<$lanes>,
            times: u32,
        ) {
            let mut block = [splat(0); 16];
            block[..8].copy_from_slice(&load_states(u));
            block[8..].copy_from_slice(&AFTER_DIGEST.map(|word| splat(word)));
            for _ in 0..times {
                for start in [inner, outer] {
                    let mut v = load_states(start);
                    let (fours, _) = block.as_chunks();
                    compress_block(&mut v, |at| fours[at / 4], |_| {});
                    block[..8].copy_from_slice(&v);
                }
                for (words, v) in sum.0.iter_mut().zip(block) {
                    store(words, xor(load(words), v));
                }
            }
            for (words, v) in u.0.iter_mut().zip(block) {
                store(words, v);
            }
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

/// Makes `compress_runs` of [`lanes_kernel`]'s parts and `pieces(blocks, i, at)`: of words `at` to `at + 3`, the piece of
/// lanes i, i + 4, i + 8, and so on.
#[cfg(target_arch = "x86_64")]
macro_rules! lanes_runs {
    ($features:literal, $lanes:literal) => {
        #[target_feature(enable = $features)]
        fn compress_runs(states: &mut States<$lanes>, runs: &Runs<'_, $lanes>) {
            let count = runs[0].len();
            assert!(runs.iter().all(|run| run.len() == count));
            let mut v = load_states(states);
            for n in 0..count {
                let blocks: [&[u8; 64]; $lanes] = core::array::from_fn(|lane| {
                    // SAFETY: every run has `count` blocks, which has been asserted.
                    unsafe { runs[lane].get_unchecked(n) }
                });
                compress_block(
                    &mut v,
                    |at| transposed(core::array::from_fn(|i| pieces(&blocks, i, at))),
                    |_| {},
                );
            }
            store_states(states, v);
        }
    };
}

#[cfg(target_arch = "x86_64")]
pub(crate) use {lanes_kernel, lanes_round, lanes_runs, lanes_sixteen};
