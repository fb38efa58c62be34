//! Dense ids. They are positions in the vectors of a [`super::Problem`] and mean nothing outside it.

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u32);

        impl $name {
            /// The id at a position.
            pub fn from_at(position: usize) -> Self {
                Self(u32::try_from(position).expect("fewer than 2^32 of each kind"))
            }

            /// Its position.
            pub fn at(self) -> usize {
                self.0 as usize
            }
        }
    };
}

id! {
    /// A node.
    NodeIx
}
id! {
    /// A topology.
    TopologyIx
}
id! {
    /// A component of one topology.
    ComponentIx
}
id! {
    /// An executor.
    ExecutorIx
}
