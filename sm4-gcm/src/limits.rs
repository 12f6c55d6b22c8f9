//! How long a message and its associated data may be (SP 800-38D, section 5.2.1.1).

use aead::Error;

/// Longest associated data in bytes: its length in bits has to fit 64 bits.
pub const A_MAX: u64 = (1 << 61) - 1;

/// Longest message in bytes: 2^32 - 2 blocks, so that no counter block comes twice.
pub const P_MAX: u64 = (1 << 36) - 32;

/// Says whether `aad` bytes of associated data and `message` bytes of message are within bounds.
pub(crate) const fn check_lengths(aad: u64, message: u64) -> Result<(), Error> {
    if aad > A_MAX || message > P_MAX {
        return Err(Error);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::check_lengths;

    // The limits in bits from SP 800-38D, so that these lines do not lean on the constants above.
    const AAD_BITS: u128 = (1 << 64) - 1;
    const MESSAGE_BITS: u128 = (1 << 39) - 256;

    #[test]
    fn a_length_is_accepted_exactly_up_to_the_limit() {
        let aad = (AAD_BITS / 8) as u64;
        let message = (MESSAGE_BITS / 8) as u64;
        assert_eq!(MESSAGE_BITS % 8, 0);

        assert!(check_lengths(0, 0).is_ok());
        assert!(check_lengths(aad, message).is_ok());
        assert!(check_lengths(aad + 1, 0).is_err());
        assert!(check_lengths(0, message + 1).is_err());
        assert!(check_lengths(aad + 1, message + 1).is_err());
        assert!(check_lengths(u64::MAX, 0).is_err());
        assert!(check_lengths(0, u64::MAX).is_err());
        assert!(check_lengths(u64::MAX, u64::MAX).is_err());
    }

    #[test]
    fn the_longest_associated_data_can_be_counted_in_bits() {
        assert_eq!(super::A_MAX.checked_mul(8), Some(u64::MAX - 7));
    }
}
