//! Reading CPUID and XCR0.

/// The registers that [`Features`](super::Features) are made from (Intel SDM, volume 2A, CPUID;
/// volume 1, 13.3 for XCR0). What the CPU does not report is zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Registers {
    /// Leaf 0, EAX: the highest leaf.
    pub(crate) max_leaf: u32,
    /// Leaf 1, ECX.
    pub(crate) leaf1_ecx: u32,
    /// Leaf 1, EDX.
    pub(crate) leaf1_edx: u32,
    /// Leaf 7, sub-leaf 0, EAX: the highest sub-leaf.
    pub(crate) leaf7_max_subleaf: u32,
    /// Leaf 7, sub-leaf 0, EBX.
    pub(crate) leaf7_ebx: u32,
    /// Leaf 7, sub-leaf 0, ECX.
    pub(crate) leaf7_ecx: u32,
    /// Leaf 7, sub-leaf 1, EAX.
    pub(crate) leaf7_1_eax: u32,
    /// Extended control register 0: the state that the operating system saves.
    pub(crate) xcr0: u64,
}

/// Leaf 1, ECX: the operating system has enabled XSAVE, so XGETBV may be executed.
pub(crate) const OSXSAVE: u32 = 1 << 27;

impl Registers {
    /// Reads the registers through `cpuid(leaf, sub_leaf)`, which returns EAX, EBX, ECX, EDX, and
    /// `xgetbv()`, which returns XCR0.
    ///
    /// Never asks for more than the CPU offers: beyond its highest leaf an Intel CPU answers with
    /// the contents of that leaf, and XGETBV faults unless OSXSAVE is set.
    pub(crate) fn read(cpuid: impl Fn(u32, u32) -> [u32; 4], xgetbv: impl FnOnce() -> u64) -> Self {
        let mut registers = Self {
            max_leaf: cpuid(0, 0)[0],
            ..Self::default()
        };
        if registers.max_leaf >= 1 {
            let [_, _, ecx, edx] = cpuid(1, 0);
            registers.leaf1_ecx = ecx;
            registers.leaf1_edx = edx;
            if ecx & OSXSAVE != 0 {
                registers.xcr0 = xgetbv();
            }
        }
        if registers.max_leaf >= 7 {
            let [eax, ebx, ecx, _] = cpuid(7, 0);
            registers.leaf7_max_subleaf = eax;
            registers.leaf7_ebx = ebx;
            registers.leaf7_ecx = ecx;
            if eax >= 1 {
                registers.leaf7_1_eax = cpuid(7, 1)[0];
            }
        }
        registers
    }

    /// Reads the registers of the CPU that this runs on.
    #[cfg(not(any(target_env = "sgx", target_os = "none", target_os = "uefi", miri)))]
    pub(crate) fn of_this_cpu() -> Self {
        #[cfg(target_arch = "x86")]
        use core::arch::x86 as arch;
        #[cfg(target_arch = "x86_64")]
        use core::arch::x86_64 as arch;

        // Rust made this intrinsic safe after the oldest version that builds this crate.
        #[allow(unused_unsafe)]
        let cpuid = |leaf, sub_leaf| {
            // SAFETY: CPUID is unprivileged, and every CPU that Rust's x86 targets run on (i586
            // and later) has it. The targets on which it may fault or is not to be trusted are
            // excluded by the `cfg` of this function.
            let result = unsafe { arch::__cpuid_count(leaf, sub_leaf) };
            [result.eax, result.ebx, result.ecx, result.edx]
        };
        let xgetbv = || {
            // SAFETY: XGETBV needs CR4.OSXSAVE, which CPUID mirrors in the bit OSXSAVE; `read`
            // calls this only where that bit is set. Register 0 exists wherever XGETBV does.
            unsafe { arch::_xgetbv(arch::_XCR_XFEATURE_ENABLED_MASK) }
        };
        Self::read(cpuid, xgetbv)
    }
}

#[cfg(test)]
mod tests {
    use super::{OSXSAVE, Registers};
    use alloc::vec::Vec;
    use core::cell::Cell;

    /// A CPU that fails the test when it is asked for what it does not have.
    fn read(leaves: &[((u32, u32), [u32; 4])], xcr0: Option<u64>) -> Registers {
        Registers::read(
            |leaf, sub_leaf| {
                leaves
                    .iter()
                    .find(|(at, _)| *at == (leaf, sub_leaf))
                    .unwrap_or_else(|| panic!("leaf {leaf}.{sub_leaf} does not exist"))
                    .1
            },
            || xcr0.expect("XGETBV executed without OSXSAVE"),
        )
    }

    #[test]
    fn every_register_lands_in_its_field() {
        let read = read(
            &[
                ((0, 0), [0x20, 1, 2, 3]),
                ((1, 0), [4, 5, OSXSAVE | 6, 7]),
                ((7, 0), [1, 8, 9, 10]),
                ((7, 1), [11, 12, 13, 14]),
            ],
            Some(0xe7),
        );
        assert_eq!(
            read,
            Registers {
                max_leaf: 0x20,
                leaf1_ecx: OSXSAVE | 6,
                leaf1_edx: 7,
                leaf7_max_subleaf: 1,
                leaf7_ebx: 8,
                leaf7_ecx: 9,
                leaf7_1_eax: 11,
                xcr0: 0xe7,
            }
        );
    }

    #[test]
    fn leaf_7_is_not_read_below_its_number() {
        let read = read(&[((0, 0), [6, 0, 0, 0]), ((1, 0), [0, 0, 1, 2])], None);
        assert_eq!(
            (read.leaf1_ecx, read.leaf1_edx, read.leaf7_ebx, read.xcr0),
            (1, 2, 0, 0)
        );
    }

    #[test]
    fn sub_leaf_1_is_not_read_unless_it_exists() {
        let read = read(
            &[
                ((0, 0), [7, 0, 0, 0]),
                ((1, 0), [0; 4]),
                ((7, 0), [0, 3, 4, 5]),
            ],
            None,
        );
        assert_eq!(
            (read.leaf7_ebx, read.leaf7_ecx, read.leaf7_1_eax),
            (3, 4, 0)
        );
    }

    #[test]
    fn a_cpu_with_leaf_0_alone_has_nothing() {
        assert_eq!(read(&[((0, 0), [0; 4])], None), Registers::default());
    }

    #[test]
    fn each_leaf_is_read_once() {
        let asked = Cell::new(Vec::new());
        Registers::read(
            |leaf, sub_leaf| {
                let mut list = asked.take();
                list.push((leaf, sub_leaf));
                asked.set(list);
                [7, 0, 0, 0]
            },
            || panic!("XGETBV executed without OSXSAVE"),
        );
        assert_eq!(asked.take(), [(0, 0), (1, 0), (7, 0), (7, 1)]);
    }
}
