//! Hash files with SM3; seal and open them with SM4-GCM.
fn main() {}
