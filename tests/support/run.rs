//! One interface to every implementation of a mode without authentication.

use core::marker::PhantomData;

use cipher::array::Array;
use cipher::common::InnerInit;
use cipher::consts::U16;
use cipher::inout::InOutBuf;
use cipher::{
    BlockModeDecrypt, BlockModeEncrypt, BlockSizeUser, InnerIvInit, IvSizeUser, StreamCipher,
};

use super::place::Placed;

/// Where the bytes lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// One buffer at this misalignment.
    InPlace(usize),
    /// Input and output buffers at these misalignments.
    BufToBuf(usize, usize),
}

/// An implementation of a mode under a key and an IV of 16 bytes.
pub trait Run {
    /// Processes `input` in calls of `parts` bytes (multiples of 16 for block modes), and checks that nothing but the output was written.
    fn run(
        &self,
        key: &[u8; 16],
        iv: &[u8; 16],
        input: &[u8],
        parts: &[usize],
        at: Layout,
    ) -> Vec<u8>;

    /// Whether a message can be given in more than one part.
    fn takes_parts(&self) -> bool {
        true
    }
}

/// Feeds `input` to `f` in the given layout, part by part.
pub fn feed(
    input: &[u8],
    parts: &[usize],
    at: Layout,
    mut f: impl FnMut(InOutBuf<'_, '_, u8>),
) -> Vec<u8> {
    assert_eq!(parts.iter().sum::<usize>(), input.len());
    match at {
        Layout::InPlace(offset) => {
            let mut buffer = Placed::new(offset, input);
            let mut rest = buffer.get_mut();
            for &part in parts {
                let (now, later) = rest.split_at_mut(part);
                f(now.into());
                rest = later;
            }
            buffer.checked().to_vec()
        }
        Layout::BufToBuf(from, to) => {
            let source = Placed::new(from, input);
            // What the output holds beforehand must not matter.
            let mut target = Placed::new(to, &vec![0x3c; input.len()]);
            let (mut rest_in, mut rest_out) = (source.get(), target.get_mut());
            for &part in parts {
                let (now_in, later_in) = rest_in.split_at(part);
                let (now_out, later_out) = rest_out.split_at_mut(part);
                f(InOutBuf::new(now_in, now_out).expect("same length"));
                (rest_in, rest_out) = (later_in, later_out);
            }
            assert_eq!(source.checked(), input, "the input was written to");
            target.checked().to_vec()
        }
    }
}

fn whole_blocks<'i, 'o>(data: InOutBuf<'i, 'o, u8>) -> InOutBuf<'i, 'o, Array<u8, U16>> {
    let (blocks, tail) = data.into_chunks();
    assert!(tail.is_empty(), "a block mode takes whole blocks");
    blocks
}

/// A mode made of a block cipher (which the function makes from a key) and an IV.
#[derive(Debug)]
pub struct Made<M, F>(F, PhantomData<M>);

impl<M, F> Made<M, F> {
    /// A mode of type `M` over the block cipher that `f` makes.
    pub fn by(f: F) -> Self {
        Self(f, PhantomData)
    }
}

/// A block mode that encrypts, one call a part.
#[derive(Debug)]
pub struct BlockEncrypt<T>(pub T);

impl<M, F> Run for BlockEncrypt<Made<M, F>>
where
    M: BlockModeEncrypt + BlockSizeUser<BlockSize = U16> + InnerIvInit + IvSizeUser<IvSize = U16>,
    F: Fn(&[u8; 16]) -> M::Inner,
{
    fn run(
        &self,
        key: &[u8; 16],
        iv: &[u8; 16],
        input: &[u8],
        parts: &[usize],
        at: Layout,
    ) -> Vec<u8> {
        let mut mode = M::inner_iv_init((self.0.0)(key), &Array(*iv));
        feed(input, parts, at, |data| {
            mode.encrypt_blocks_inout(whole_blocks(data))
        })
    }
}

/// A block mode that decrypts, one call a part.
#[derive(Debug)]
pub struct BlockDecrypt<T>(pub T);

impl<M, F> Run for BlockDecrypt<Made<M, F>>
where
    M: BlockModeDecrypt + BlockSizeUser<BlockSize = U16> + InnerIvInit + IvSizeUser<IvSize = U16>,
    F: Fn(&[u8; 16]) -> M::Inner,
{
    fn run(
        &self,
        key: &[u8; 16],
        iv: &[u8; 16],
        input: &[u8],
        parts: &[usize],
        at: Layout,
    ) -> Vec<u8> {
        let mut mode = M::inner_iv_init((self.0.0)(key), &Array(*iv));
        feed(input, parts, at, |data| {
            mode.decrypt_blocks_inout(whole_blocks(data))
        })
    }
}

/// A block mode that encrypts, one block a call.
#[derive(Debug)]
pub struct SingleEncrypt<T>(pub T);

impl<M, F> Run for SingleEncrypt<Made<M, F>>
where
    M: BlockModeEncrypt + BlockSizeUser<BlockSize = U16> + InnerIvInit + IvSizeUser<IvSize = U16>,
    F: Fn(&[u8; 16]) -> M::Inner,
{
    fn run(
        &self,
        key: &[u8; 16],
        iv: &[u8; 16],
        input: &[u8],
        parts: &[usize],
        at: Layout,
    ) -> Vec<u8> {
        let mut mode = M::inner_iv_init((self.0.0)(key), &Array(*iv));
        feed(input, parts, at, |data| {
            for block in whole_blocks(data) {
                mode.encrypt_block_inout(block);
            }
        })
    }
}

/// A block mode that decrypts, one block a call.
#[derive(Debug)]
pub struct SingleDecrypt<T>(pub T);

impl<M, F> Run for SingleDecrypt<Made<M, F>>
where
    M: BlockModeDecrypt + BlockSizeUser<BlockSize = U16> + InnerIvInit + IvSizeUser<IvSize = U16>,
    F: Fn(&[u8; 16]) -> M::Inner,
{
    fn run(
        &self,
        key: &[u8; 16],
        iv: &[u8; 16],
        input: &[u8],
        parts: &[usize],
        at: Layout,
    ) -> Vec<u8> {
        let mut mode = M::inner_iv_init((self.0.0)(key), &Array(*iv));
        feed(input, parts, at, |data| {
            for block in whole_blocks(data) {
                mode.decrypt_block_inout(block);
            }
        })
    }
}

/// A mode without an IV that encrypts: ECB.
#[derive(Debug)]
pub struct EcbEncrypt<T>(pub T);

impl<M, F> Run for EcbEncrypt<Made<M, F>>
where
    M: BlockModeEncrypt + BlockSizeUser<BlockSize = U16> + InnerInit,
    F: Fn(&[u8; 16]) -> M::Inner,
{
    fn run(
        &self,
        key: &[u8; 16],
        _: &[u8; 16],
        input: &[u8],
        parts: &[usize],
        at: Layout,
    ) -> Vec<u8> {
        let mut mode = M::inner_init((self.0.0)(key));
        feed(input, parts, at, |data| {
            mode.encrypt_blocks_inout(whole_blocks(data))
        })
    }
}

/// A mode without an IV that decrypts: ECB.
#[derive(Debug)]
pub struct EcbDecrypt<T>(pub T);

impl<M, F> Run for EcbDecrypt<Made<M, F>>
where
    M: BlockModeDecrypt + BlockSizeUser<BlockSize = U16> + InnerInit,
    F: Fn(&[u8; 16]) -> M::Inner,
{
    fn run(
        &self,
        key: &[u8; 16],
        _: &[u8; 16],
        input: &[u8],
        parts: &[usize],
        at: Layout,
    ) -> Vec<u8> {
        let mut mode = M::inner_init((self.0.0)(key));
        feed(input, parts, at, |data| {
            mode.decrypt_blocks_inout(whole_blocks(data))
        })
    }
}

/// A stream cipher made by the function from key and IV: parts of any length.
#[derive(Debug)]
pub struct Stream<F>(pub F);

impl<M, F> Run for Stream<F>
where
    M: StreamCipher,
    F: Fn(&[u8; 16], &[u8; 16]) -> M,
{
    fn run(
        &self,
        key: &[u8; 16],
        iv: &[u8; 16],
        input: &[u8],
        parts: &[usize],
        at: Layout,
    ) -> Vec<u8> {
        let mut mode = (self.0)(key, iv);
        feed(input, parts, at, |data| mode.apply_keystream_inout(data))
    }
}

/// Anything else that takes parts of any length: the function gets key and IV and gives back what processes a part.
#[derive(Debug)]
pub struct Parts<F>(pub F);

impl<P, F> Run for Parts<F>
where
    P: FnMut(InOutBuf<'_, '_, u8>),
    F: Fn(&[u8; 16], &[u8; 16]) -> P,
{
    fn run(
        &self,
        key: &[u8; 16],
        iv: &[u8; 16],
        input: &[u8],
        parts: &[usize],
        at: Layout,
    ) -> Vec<u8> {
        feed(input, parts, at, (self.0)(key, iv))
    }
}

/// What takes a whole message at once, of any length: the function gets key, IV and message.
#[derive(Debug)]
pub struct Whole<F>(pub F);

impl<F> Run for Whole<F>
where
    F: Fn(&[u8; 16], &[u8; 16], InOutBuf<'_, '_, u8>),
{
    fn run(
        &self,
        key: &[u8; 16],
        iv: &[u8; 16],
        input: &[u8],
        parts: &[usize],
        at: Layout,
    ) -> Vec<u8> {
        assert!(parts.len() <= 1);
        feed(input, &[input.len()], at, |data| (self.0)(key, iv, data))
    }

    fn takes_parts(&self) -> bool {
        false
    }
}
