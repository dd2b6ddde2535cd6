//! Arrays with a row per game, as attributes of a Python object.

/// Defines `$arrays`, the arrays of a Python object, and `$rows`, the elements of some of their rows.
macro_rules! arrays {
    ($arrays:ident, $rows:ident: $($(#[$about:meta])* $name:ident: $type:ty,)*) => {
        /// Arrays that are attributes of a Python object.
        #[derive(pyo3::FromPyObject)]
        pub struct $arrays<'py> {
            $($name: numpy::PyReadwriteArrayDyn<'py, $type>,)*
        }

        /// The elements of these arrays, in a number of rows.
        pub struct $rows<'a> {
            $($(#[$about])* pub $name: &'a mut [$type],)*
        }

        impl $arrays<'_> {
            /// Returns the elements of all rows.
            pub fn rows(&mut self) -> pyo3::PyResult<$rows<'_>> {
                Ok($rows { $($name: self.$name.as_slice_mut()?,)* })
            }
        }

        impl<'a> $rows<'a> {
            /// Returns each of `count` rows.
            pub fn split(self, count: usize) -> impl Iterator<Item = $rows<'a>> {
                $(
                    let length = self.$name.len() / count;
                    let mut $name = self.$name.chunks_mut(length.max(1));
                )*
                std::iter::from_fn(move || Some($rows { $($name: $name.next()?,)* }))
            }
        }
    };
}

pub(crate) use arrays;
