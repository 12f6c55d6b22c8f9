//! The columns: ours, and everybody else's.

#[cfg(feature = "aws-lc")]
mod aws_lc;
#[cfg(feature = "botan")]
mod botan;
#[cfg(feature = "gcrypt")]
mod gcrypt;
mod gmcrypto;
mod modes;
#[cfg(feature = "openssl")]
mod openssl;
mod ours;
mod rustcrypto;

use crate::{case::Case, job::Made};
use serde::{Deserialize, Serialize};
use std::rc::Rc;

/// What a column stands for.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Ours, as a user gets it.
    Ours,
    /// Ours, with one backend forced.
    Backend,
    /// Somebody else's modes over our block cipher.
    DropIn,
    /// Somebody else's.
    Peer,
}

/// A column.
pub trait Peer {
    /// The name on the command line and above the column.
    fn name(&self) -> String;

    /// What it stands for.
    fn kind(&self) -> Kind {
        Kind::Peer
    }

    /// The versions of what is measured.
    fn version(&self) -> String;

    /// Makes the operation of the case ready, or says that there is none.
    fn job(&self, case: &Rc<Case>) -> Made;
}

/// Every column of this build, ours first.
#[must_use]
pub fn all() -> Vec<Box<dyn Peer>> {
    let mut all = ours::all();
    all.extend([
        Box::new(rustcrypto::DropIn) as Box<dyn Peer>,
        Box::new(rustcrypto::RustCrypto),
        Box::new(gmcrypto::GmCrypto),
        #[cfg(feature = "openssl")]
        Box::new(openssl::OpenSsl),
        #[cfg(feature = "botan")]
        Box::new(botan::Botan),
        #[cfg(feature = "gcrypt")]
        Box::new(gcrypt::Gcrypt::start()),
        #[cfg(feature = "aws-lc")]
        Box::new(aws_lc::AwsLc),
    ]);
    all
}

/// The peers that this build leaves out, by the features that would add them.
#[must_use]
pub fn absent() -> Vec<&'static str> {
    [
        ("openssl", cfg!(feature = "openssl")),
        ("botan", cfg!(feature = "botan")),
        ("gcrypt", cfg!(feature = "gcrypt")),
        ("aws-lc", cfg!(feature = "aws-lc")),
    ]
    .into_iter()
    .filter_map(|(feature, present)| (!present).then_some(feature))
    .collect()
}

/// Whether one of the names asks for a column: by its own name, or `ours` for every backend of ours.
#[must_use]
pub fn named(column: &str, names: &[String]) -> bool {
    names.is_empty()
        || names.iter().any(|name| {
            column
                .strip_prefix(name.as_str())
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(':'))
        })
}

/// A sealed message for the opening rows, from a peer that is not under test: the ciphertext, then the tag.
#[must_use]
pub fn seal(op: crate::rows::Op, message: &[u8]) -> Vec<u8> {
    rustcrypto::seal(op, message)
}

#[cfg(test)]
mod tests {
    use super::{Kind, all, named};
    use std::collections::BTreeSet;

    #[test]
    fn columns_have_names_of_their_own() {
        let names: BTreeSet<_> = all().iter().map(|peer| peer.name()).collect();
        assert_eq!(names.len(), all().len());
        assert!(names.contains("ours") && names.contains("rustcrypto"));
        assert_eq!(
            all()
                .iter()
                .filter(|peer| peer.kind() == Kind::Ours)
                .count(),
            1
        );
        assert!(all().iter().all(|peer| peer.version().contains('.')));
    }

    #[test]
    fn names_select() {
        let names = |names: &[&str]| {
            names
                .iter()
                .map(|&name| name.to_owned())
                .collect::<Vec<_>>()
        };
        assert!(named("botan", &[]));
        assert!(named("ours:soft", &names(&["ours"])));
        assert!(named("ours:soft", &names(&["botan", "ours:soft"])));
        assert!(!named("ours", &names(&["ours:soft"])));
        assert!(!named("botanic", &names(&["botan"])));
    }
}
