//! Closed lists of ids.

/// A value of a closed list, which is written as its id.
pub trait Id: Copy + 'static {
    const ALL: &'static [Self];

    fn id(self) -> &'static str;

    /// Returns the index in the list.
    fn index(self) -> usize;

    fn from_id(id: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|item| item.id() == id)
    }
}

/// Declares an enum whose variants are ids. The wire name is the variant in snake case.
macro_rules! ids {
    ($(#[$meta:meta])* $vis:vis enum $Name:ident {
        $($(#[$variant_meta:meta])* $Variant:ident = $id:literal),+ $(,)?
    }) => {
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize)]
        #[wire]
        $(#[$meta])*
        #[serde(rename_all = "snake_case")]
        $vis enum $Name {
            $($(#[$variant_meta])* $Variant),+
        }

        impl $crate::engine::id::Id for $Name {
            const ALL: &'static [Self] = &[$(Self::$Variant),+];

            fn id(self) -> &'static str {
                match self {
                    $(Self::$Variant => $id),+
                }
            }

            fn index(self) -> usize {
                self as usize
            }
        }
    };
}
pub(crate) use ids;
