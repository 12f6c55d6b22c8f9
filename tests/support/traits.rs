//! Questions about traits that a program can answer.

/// Whether a type implements a trait, as a constant.
#[macro_export]
macro_rules! implements {
    ($type:ty: $($bound:tt)+) => {{
        trait No {
            const ANSWER: bool = false;
        }
        impl<T: ?Sized> No for T {}
        struct Ask<T: ?Sized>(core::marker::PhantomData<T>);
        // An inherent constant wins over the trait's, where its bound holds.
        #[allow(dead_code)]
        impl<T: ?Sized + $($bound)+> Ask<T> {
            const ANSWER: bool = true;
        }
        <Ask<$type>>::ANSWER
    }};
}
