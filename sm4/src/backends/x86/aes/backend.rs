//! The shape of a backend: which pass takes which number of blocks.

use super::vector::Vector;
use super::{sliced, wipe};
use crate::schedule::RoundKeys;
use crate::wiped::Wiped;
use cipher::{
    Block, BlockCipherDecBackend, BlockCipherEncBackend, BlockSizeUser, InOut, InOutBuf, ParBlocks,
    ParBlocksSizeUser,
    array::{Array, ArraySize},
    consts::U16,
    typenum::Unsigned,
};
use core::{cell::OnceCell, marker::PhantomData};

/// What a backend says of itself: its passes, compiled with its CPU features.
pub(crate) trait Passes: Copy {
    /// Blocks in a batch, all that one pass can take.
    type Batch: ArraySize;

    /// Up to so many blocks go word by word, more of them byte by byte.
    const FEW: usize;

    /// One block, for chains of them: inlined.
    fn one(self, keys: &RoundKeys, block: InOut<'_, '_, Array<u8, U16>>);

    /// At least one block, and at most [`Self::FEW`].
    fn few(self, keys: &RoundKeys, blocks: InOutBuf<'_, '_, Array<u8, U16>>);

    /// At least one block, and at most a batch.
    fn many(self, keys: &sliced::Keys, blocks: InOutBuf<'_, '_, Array<u8, U16>>);

    /// Prepares round keys for [`Self::many`] and [`Self::count_many`].
    fn slice(self, keys: &RoundKeys) -> sliced::Keys;

    /// The vectors of [`Self::count_many`].
    type Wide: Vector;

    fn wide(self) -> Self::Wide;

    /// XORs a batch with the keystream of the next counters.
    fn count_many(
        self,
        keys: &sliced::Keys,
        counters: &mut sliced::Counters<Self::Wide>,
        blocks: InOut<'_, '_, Array<Array<u8, U16>, Self::Batch>>,
    );

    /// XORs at least one byte and at most [`Self::FEW`] blocks with the keystream. Returns what is left of it.
    fn count_few(
        self,
        keys: &RoundKeys,
        prefix: [u32; 3],
        counter: u32,
        data: InOutBuf<'_, '_, u8>,
    ) -> Array<u8, U16>;
}

/// A key for one direction, for the time of one call, with batches of `L` blocks.
pub(crate) struct Cipher<'a, P, L> {
    passes: P,
    /// In the order of their use.
    keys: &'a RoundKeys,
    /// Made when they are needed.
    sliced: OnceCell<sliced::Keys>,
    lanes: PhantomData<L>,
}

impl<'a, P: Passes, L: ArraySize> Cipher<'a, P, L> {
    #[inline(always)]
    pub(crate) fn new(passes: P, keys: &'a RoundKeys) -> Self {
        Self {
            passes,
            keys,
            sliced: OnceCell::new(),
            lanes: PhantomData,
        }
    }

    #[inline(always)]
    fn many(&self, blocks: InOutBuf<'_, '_, Block<Self>>) {
        let keys = self.sliced.get_or_init(|| self.passes.slice(self.keys));
        self.passes.many(keys, blocks);
    }

    #[inline(always)]
    fn tail(&self, blocks: InOutBuf<'_, '_, Block<Self>>) {
        assert!(
            blocks.len() < L::USIZE,
            "a tail has fewer blocks than a batch"
        );
        self.blocks(blocks);
    }

    /// A batch or fewer blocks.
    #[inline(always)]
    fn blocks(&self, blocks: InOutBuf<'_, '_, Block<Self>>) {
        if blocks.len() > P::FEW {
            self.many(blocks);
        } else if !blocks.is_empty() {
            self.passes.few(self.keys, blocks);
        }
    }
}

impl<P, L> BlockSizeUser for Cipher<'_, P, L> {
    type BlockSize = U16;
}

impl<P, L: ArraySize> ParBlocksSizeUser for Cipher<'_, P, L> {
    type ParBlocksSize = L;
}

impl<P: Passes, L: ArraySize> BlockCipherEncBackend for Cipher<'_, P, L> {
    #[inline(always)]
    fn encrypt_block(&self, block: InOut<'_, '_, Block<Self>>) {
        self.passes.one(self.keys, block);
    }

    #[inline(always)]
    fn encrypt_par_blocks(&self, blocks: InOut<'_, '_, ParBlocks<Self>>) {
        self.blocks(blocks.into_buf());
    }

    #[inline(always)]
    fn encrypt_tail_blocks(&self, blocks: InOutBuf<'_, '_, Block<Self>>) {
        self.tail(blocks);
    }
}

/// With the keys from the end, decryption is the same.
impl<P: Passes, L: ArraySize> BlockCipherDecBackend for Cipher<'_, P, L> {
    #[inline(always)]
    fn decrypt_block(&self, block: InOut<'_, '_, Block<Self>>) {
        self.passes.one(self.keys, block);
    }

    #[inline(always)]
    fn decrypt_par_blocks(&self, blocks: InOut<'_, '_, ParBlocks<Self>>) {
        self.blocks(blocks.into_buf());
    }

    #[inline(always)]
    fn decrypt_tail_blocks(&self, blocks: InOutBuf<'_, '_, Block<Self>>) {
        self.tail(blocks);
    }
}

/// Round keys from the end.
#[repr(align(16))]
pub(crate) struct Reversed(pub(crate) RoundKeys);

impl Reversed {
    #[inline(always)]
    pub(crate) fn new(keys: &RoundKeys) -> Self {
        let mut reversed = Self(*keys);
        reversed.0.reverse();
        reversed
    }
}

impl Drop for Reversed {
    #[inline(always)]
    fn drop(&mut self) {
        // SAFETY: these are words.
        unsafe { wipe(self) };
    }
}

/// The counter kernel.
#[inline(always)]
pub(crate) fn ctr32<P: Passes>(
    passes: P,
    keys: &RoundKeys,
    prefix: [u32; 3],
    mut counter: u32,
    data: InOutBuf<'_, '_, u8>,
) -> Array<u8, U16> {
    let batch = 16 * P::Batch::USIZE;
    let whole = data.len() - data.len() % batch;
    let (whole, mut tail) = data.split_at(whole);
    let mut rest = Array::default();
    if !whole.is_empty() || tail.len() > 16 * P::FEW {
        let keys = passes.slice(keys);
        let mut counters = sliced::Counters::new(passes.wide(), prefix, counter);
        counter = counter.wrapping_add((whole.len() / 16) as u32);
        let blocks = whole.into_chunks::<U16>().0;
        for blocks in blocks.into_chunks::<P::Batch>().0 {
            passes.count_many(&keys, &mut counters, blocks);
        }
        if tail.len() > 16 * P::FEW {
            let mut text = Wiped::<P::Batch>::default();
            let bytes = text.0.as_flattened_mut();
            let n = tail.len();
            bytes[..n].copy_from_slice(tail.get_in());
            passes.count_many(&keys, &mut counters, (&mut text.0).into());
            let bytes = text.0.as_flattened_mut();
            tail.get_out().copy_from_slice(&bytes[..n]);
            if n % 16 != 0 {
                rest[n % 16..].copy_from_slice(&bytes[n..n.next_multiple_of(16)]);
            }
            return rest;
        }
    }
    if !tail.is_empty() {
        rest = passes.count_few(keys, prefix, counter, tail);
    }
    rest
}

/// Makes a token a kernel: its CPU features, the blocks of a batch, the vectors for many blocks, and the shapes
/// for few blocks, each with the greatest number it takes.
macro_rules! backend {
    (
        $token:ident, $features:literal;
        many: $batch:ident in $wide:ident;
        few: $($shape:ident * $times:literal to $most:literal),+;
    ) => {
        impl Passes for $token {
            type Batch = $batch;
            type Wide = $wide<Self>;

            const FEW: usize = {
                let most = [$($most),+];
                most[most.len() - 1]
            };

            #[inline(always)]
            fn wide(self) -> Self::Wide {
                $wide(self)
            }

            #[inline(always)]
            fn one(self, keys: &RoundKeys, block: InOut<'_, '_, Array<u8, U16>>) {
                #[target_feature(enable = $features)]
                #[inline]
                fn one(token: $token, keys: &RoundKeys, mut block: InOut<'_, '_, Array<u8, U16>>) {
                    let result = words::one(Xmm(token), keys, &block.get_in().0);
                    *block.get_out() = Array(result);
                }
                // SAFETY: the token proves the features.
                unsafe { one(self, keys, block) }
            }

            #[inline(always)]
            fn few(self, keys: &RoundKeys, blocks: InOutBuf<'_, '_, Array<u8, U16>>) {
                #[target_feature(enable = $features)]
                #[inline(never)]
                fn few(token: $token, keys: &RoundKeys, blocks: InOutBuf<'_, '_, Array<u8, U16>>) {
                    let n = blocks.len();
                    assert!(n != 0 && n <= $token::FEW, "a number of blocks for this pass");
                    let (from, to) = blocks.into_raw();
                    let (from, to) = (from.cast::<[u8; 16]>(), to.cast::<[u8; 16]>());
                    if n == 1 {
                        // SAFETY: an `InOutBuf` is valid for reads and writes of its blocks, of which there are some.
                        return unsafe { *to = words::one(Xmm(token), keys, &*from) };
                    }
                    $(
                        if n <= $most {
                            // SAFETY: an `InOutBuf` is valid for reads and writes of its blocks, of which there are some.
                            return unsafe {
                                words::blocks::<$times, _>($shape(token), keys, from, to, n)
                            };
                        }
                    )+
                }
                // SAFETY: the token proves the features.
                unsafe { few(self, keys, blocks) }
            }

            #[inline(always)]
            fn many(self, keys: &sliced::Keys, blocks: InOutBuf<'_, '_, Array<u8, U16>>) {
                #[target_feature(enable = $features)]
                #[inline(never)]
                fn many(token: $token, keys: &sliced::Keys, blocks: InOutBuf<'_, '_, Array<u8, U16>>) {
                    let n = blocks.len();
                    assert!(n != 0 && n <= $batch::USIZE, "a number of blocks for this pass");
                    let (from, to) = blocks.into_raw();
                    // SAFETY: an `InOutBuf` is valid for reads and writes of its blocks, of which there are some.
                    unsafe { sliced::blocks($wide(token), keys, from.cast(), to.cast(), n) };
                }
                // SAFETY: the token proves the features.
                unsafe { many(self, keys, blocks) }
            }

            #[inline(always)]
            fn slice(self, keys: &RoundKeys) -> sliced::Keys {
                #[target_feature(enable = $features)]
                #[inline]
                fn slice(token: $token, keys: &RoundKeys) -> sliced::Keys {
                    sliced::Keys::new(Xmm(token), keys)
                }
                // SAFETY: the token proves the features.
                unsafe { slice(self, keys) }
            }

            #[inline(always)]
            fn count_many(
                self,
                keys: &sliced::Keys,
                counters: &mut sliced::Counters<Self::Wide>,
                blocks: InOut<'_, '_, Array<Array<u8, U16>, Self::Batch>>,
            ) {
                #[target_feature(enable = $features)]
                #[inline(never)]
                fn count_many(
                    token: $token,
                    keys: &sliced::Keys,
                    counters: &mut sliced::Counters<$wide<$token>>,
                    blocks: InOut<'_, '_, Array<Array<u8, U16>, $batch>>,
                ) {
                    let (from, to) = blocks.into_raw();
                    // SAFETY: an `InOut` is valid for reads and writes of its blocks: a batch.
                    unsafe { counters.blocks($wide(token), keys, from.cast(), to.cast()) };
                }
                // SAFETY: the token proves the features.
                unsafe { count_many(self, keys, counters, blocks) }
            }

            #[inline(always)]
            fn count_few(
                self,
                keys: &RoundKeys,
                prefix: [u32; 3],
                counter: u32,
                data: InOutBuf<'_, '_, u8>,
            ) -> Array<u8, U16> {
                #[target_feature(enable = $features)]
                #[inline(never)]
                fn count_few(
                    token: $token,
                    keys: &RoundKeys,
                    prefix: [u32; 3],
                    counter: u32,
                    data: InOutBuf<'_, '_, u8>,
                ) -> Array<u8, U16> {
                    $(
                        if data.len() <= 16 * $most {
                            return words::count::<$times, _>($shape(token), keys, prefix, counter, data);
                        }
                    )+
                    unreachable!("more blocks than this pass takes")
                }
                // SAFETY: the token proves the features.
                unsafe { count_few(self, keys, prefix, counter, data) }
            }
        }

        impl Kernel for $token {
            fn expand(self, key: &[u8; 16]) -> RoundKeys {
                #[target_feature(enable = $features)]
                fn expand(token: $token, key: &[u8; 16]) -> RoundKeys {
                    schedule::expand(Xmm(token), key)
                }
                // SAFETY: the token proves the features.
                unsafe { expand(self, key) }
            }

            backend!(closures $token, $features; encrypt_with decrypt_with U32);
            backend!(closures $token, $features; encrypt_wide_with decrypt_wide_with $batch);

            fn ctr32(
                self,
                keys: &RoundKeys,
                prefix: [u32; 3],
                counter: u32,
                data: InOutBuf<'_, '_, u8>,
            ) -> Array<u8, U16> {
                #[target_feature(enable = $features)]
                fn ctr32(
                    token: $token,
                    keys: &RoundKeys,
                    prefix: [u32; 3],
                    counter: u32,
                    data: InOutBuf<'_, '_, u8>,
                ) -> Array<u8, U16> {
                    backend::ctr32(token, keys, prefix, counter, data)
                }
                // SAFETY: the token proves the features.
                unsafe { ctr32(self, keys, prefix, counter, data) }
            }
        }
    };
    (closures $token:ident, $features:literal; $encrypt:ident $decrypt:ident $lanes:ident) => {
        #[inline]
        fn $encrypt(self, keys: &RoundKeys, f: impl BlockCipherEncClosure<BlockSize = U16>) {
            #[target_feature(enable = $features)]
            fn call<F: BlockCipherEncClosure<BlockSize = U16>>(
                f: F,
                cipher: &Cipher<'_, $token, $lanes>,
            ) {
                f.call(cipher);
            }
            // SAFETY: the token proves the features.
            unsafe { call(f, &Cipher::new(self, keys)) }
        }

        #[inline]
        fn $decrypt(self, keys: &RoundKeys, f: impl BlockCipherDecClosure<BlockSize = U16>) {
            #[target_feature(enable = $features)]
            fn call<F: BlockCipherDecClosure<BlockSize = U16>>(
                f: F,
                cipher: &Cipher<'_, $token, $lanes>,
            ) {
                f.call(cipher);
            }
            // SAFETY: the token proves the features.
            unsafe { call(f, &Cipher::new(self, &Reversed::new(keys).0)) }
        }
    };
}
pub(crate) use backend;
