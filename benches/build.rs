//! Builds OpenSSL for the feature `openssl`, links libgcrypt for the feature `gcrypt`, and notes the compiler.

use std::{env, process::Command};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-env=SHANGMI_BENCHES_RUSTC={}", compiler());
    #[cfg(feature = "openssl")]
    openssl();
    #[cfg(feature = "gcrypt")]
    println!("cargo::rustc-link-lib=gcrypt");
}

/// The compiler's name and version.
fn compiler() -> String {
    let rustc = env::var("RUSTC").expect("cargo names the compiler");
    let output = Command::new(rustc).arg("--version").output();
    let output = output.expect("the compiler tells its version");
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

/// Builds OpenSSL into this package's folder among the build's outputs, where it stays until something here changes.
#[cfg(feature = "openssl")]
fn openssl() {
    let built = openssl_src::Build::new().build();
    println!(
        "cargo::rustc-link-search=native={}",
        built.lib_dir().display()
    );
    println!("cargo::rustc-link-lib=static=crypto");
}
