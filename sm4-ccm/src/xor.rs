//! The XOR of data and keystream.

use aead::{
    array::Array,
    consts::{U16, U64},
    inout::InOutBuf,
};

/// XORs `data` with the first bytes of `keystream`, in pieces that are read before they are written: so they fit vectors,
/// whether input and output are one buffer or two.
///
/// # Panics
/// If there is not enough keystream.
pub(crate) fn xor(data: InOutBuf<'_, '_, u8>, keystream: &[u8]) {
    let keystream = &keystream[..data.len()];
    let (pieces, data) = data.into_chunks::<U64>();
    let (of_pieces, keystream) = Array::slice_as_chunks(keystream);
    for (mut piece, keystream) in pieces.into_iter().zip(of_pieces) {
        piece.xor_in2out(keystream);
    }
    let (blocks, mut data) = data.into_chunks::<U16>();
    let (of_blocks, keystream) = Array::slice_as_chunks(keystream);
    for (mut block, keystream) in blocks.into_iter().zip(of_blocks) {
        block.xor_in2out(keystream);
    }
    data.xor_in2out(keystream);
}
