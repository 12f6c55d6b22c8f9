//! How long a message may be (SP 800-38C, appendix A.1).

use aead::Error;

/// Longest message in bytes when its length is written in `field` bytes, 2 to 8.
///
/// Its blocks then have fewer numbers than `field` bytes can count, so that the counter is never
/// the tighter bound.
pub(crate) const fn longest_message(field: usize) -> u64 {
    u64::MAX >> (64 - 8 * field)
}

/// Says whether `message` bytes are within the bound.
pub(crate) const fn check_length(message: u64, longest: u64) -> Result<(), Error> {
    if message > longest {
        return Err(Error);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{check_length, longest_message};

    #[test]
    fn a_length_is_accepted_exactly_up_to_what_its_field_holds() {
        for (field, longest) in [
            (2, 65_535),
            (3, 16_777_215),
            (4, 4_294_967_295),
            (5, 1_099_511_627_775),
            (6, 281_474_976_710_655),
            (7, 72_057_594_037_927_935),
        ] {
            assert!(check_length(0, longest_message(field)).is_ok());
            assert!(check_length(longest, longest_message(field)).is_ok());
            assert!(check_length(longest + 1, longest_message(field)).is_err());
            assert!(check_length(u64::MAX, longest_message(field)).is_err());
        }
        assert!(check_length(u64::MAX, longest_message(8)).is_ok());
    }

    #[test]
    fn the_number_of_every_block_fits_the_counter() {
        for field in 2..=8 {
            let blocks = u128::from(longest_message(field)).div_ceil(16);
            // Opening makes one counter block more than it needs.
            assert!(blocks + 1 < 1 << (8 * field), "{field}");
        }
    }
}
