//! On what, of what and when.

use serde::{Deserialize, Serialize};
use std::{
    process::Command,
    time::{SystemTime, UNIX_EPOCH},
};

/// The versions of every crate that is built in.
const LOCK: &str = include_str!("../../Cargo.lock");

/// The machine and the build.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Machine {
    /// The CPU's name for itself, with family, model and stepping where there are such.
    pub cpu: String,
    /// Architecture and operating system.
    pub target: String,
    /// Those of its features that matter here.
    pub features: Vec<String>,
    /// The compiler.
    pub rustc: String,
}

impl Machine {
    /// This machine.
    #[must_use]
    pub fn this() -> Self {
        let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        Self {
            cpu: cpu(&info),
            target: format!("{} {}", std::env::consts::ARCH, std::env::consts::OS),
            features: features(&info),
            rustc: env!("SHANGMI_BENCHES_RUSTC").to_owned(),
        }
    }
}

/// The value of a field of the first CPU in /proc/cpuinfo.
fn field<'a>(info: &'a str, name: &str) -> Option<&'a str> {
    info.lines().find_map(|line| {
        let (key, value) = line.split_once(':')?;
        (key.trim() == name).then_some(value.trim())
    })
}

fn cpu(info: &str) -> String {
    let mut cpu = field(info, "model name")
        .unwrap_or("unknown CPU")
        .to_owned();
    let numbers = ["cpu family", "model", "stepping"].map(|name| field(info, name));
    if let [Some(family), Some(model), Some(stepping)] = numbers {
        cpu += &format!(" (family {family}, model {model}, stepping {stepping})");
    }
    cpu
}

/// Features that a kernel here or among the peers may use, by the names that Linux gives them.
const FEATURES: [&str; 22] = [
    "sse2",
    "ssse3",
    "sse4_1",
    "aes",
    "pclmulqdq",
    "avx",
    "avx2",
    "bmi1",
    "bmi2",
    "gfni",
    "vaes",
    "vpclmulqdq",
    "avx512f",
    "avx512bw",
    "avx512dq",
    "avx512vl",
    "avx512vbmi",
    "sm3",
    "sm4",
    "asimd",
    "pmull",
    "sha3",
];

fn features(info: &str) -> Vec<String> {
    let all = field(info, "flags")
        .or_else(|| field(info, "Features"))
        .unwrap_or("");
    let all: Vec<_> = all.split_whitespace().collect();
    let present = FEATURES.into_iter().filter(|feature| all.contains(feature));
    present.map(str::to_owned).collect()
}

/// Names and versions of crates from the registry.
#[must_use]
pub fn locked(names: &[&str]) -> String {
    let version = |name: &&str| format!("{name} {}", version(LOCK, name, true).unwrap_or("?"));
    names.iter().map(version).collect::<Vec<_>>().join(", ")
}

/// The version of a crate of this workspace.
#[must_use]
pub fn own_version(name: &str) -> &'static str {
    version(LOCK, name, false).unwrap_or("?")
}

/// The versions of the crates under test.
#[must_use]
pub fn own_versions() -> String {
    let names = [
        "sm3",
        "sm4",
        "sm4-modes",
        "ghash-simd",
        "sm4-gcm",
        "sm4-ccm",
        "sm4-xts",
    ];
    names
        .map(|name| format!("{name} {}", own_version(name)))
        .join(", ")
}

/// The version of a crate in a lock file: from a registry, or of the workspace.
fn version<'a>(lock: &'a str, name: &str, registry: bool) -> Option<&'a str> {
    lock.split("[[package]]").find_map(|package| {
        let value = |key: &str| {
            package.lines().find_map(|line| {
                line.strip_prefix(key)?
                    .strip_prefix(" = \"")?
                    .strip_suffix('"')
            })
        };
        (value("name") == Some(name) && value("source").is_some() == registry)
            .then(|| value("version"))
            .flatten()
    })
}

/// The commit that is measured, if this is a clone of the repository and there is a git.
#[must_use]
pub fn commit() -> Option<String> {
    let git = |arguments: &[&str]| {
        let output = Command::new("git")
            .arg("-C")
            .arg(env!("CARGO_MANIFEST_DIR"))
            .args(arguments)
            .output()
            .ok()?;
        output
            .status
            .success()
            .then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    let commit = git(&["rev-parse", "--short=12", "HEAD"])?;
    let changes = git(&["status", "--porcelain", "--untracked-files=no"])?;
    Some(if changes.is_empty() {
        commit
    } else {
        format!("{commit} with changes")
    })
}

/// Today, in UTC, as in 2001-02-03.
#[must_use]
pub fn today() -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let days = now.map_or(0, |since| since.as_secs() / 86400);
    let (year, month, day) = civil(days);
    format!("{year:04}-{month:02}-{day:02}")
}

/// The date, so many days after 1970-01-01.
fn civil(mut days: u64) -> (u64, u64, u64) {
    let mut year = 1970;
    let leap = |year: u64| {
        year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
    };
    while days >= 365 + u64::from(leap(year)) {
        days -= 365 + u64::from(leap(year));
        year += 1;
    }
    let lengths = [
        31,
        28 + u64::from(leap(year)),
        31,
        30,
        31,
        30,
        31,
        31,
        30,
        31,
        30,
        31,
    ];
    let mut month = 1;
    for length in lengths {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    (year, month, days + 1)
}

#[cfg(test)]
mod tests {
    use super::{civil, cpu, features, own_version, version};

    #[test]
    fn dates() {
        assert_eq!(civil(0), (1970, 1, 1));
        assert_eq!(civil(11_016), (2000, 2, 29));
        assert_eq!(civil(11_017), (2000, 3, 1));
        assert_eq!(civil(20_453), (2025, 12, 31));
        assert_eq!(civil(20_454), (2026, 1, 1));
    }

    #[test]
    fn versions_by_origin() {
        let lock = "\n[[package]]\nname = \"sm4\"\nversion = \"0.6.0\"\nsource = \"registry+x\"\n\n\
                    [[package]]\nname = \"sm4\"\nversion = \"0.6.100\"\n";
        assert_eq!(version(lock, "sm4", true), Some("0.6.0"));
        assert_eq!(version(lock, "sm4", false), Some("0.6.100"));
        assert_eq!(version(lock, "sm3", false), None);
        assert_ne!(own_version("sm4"), "?");
    }

    #[test]
    fn cpuinfo() {
        let info = "processor\t: 0\ncpu family\t: 6\nmodel\t\t: 207\nmodel name\t: A CPU\nstepping\t: 2\n\
                    flags\t\t: fpu avx2 gfni\n\nprocessor\t: 1\nmodel name\t: Another\n";
        assert_eq!(cpu(info), "A CPU (family 6, model 207, stepping 2)");
        assert_eq!(features(info), ["avx2", "gfni"]);
        assert_eq!(cpu(""), "unknown CPU");
    }
}
