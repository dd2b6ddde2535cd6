//! Many random games at once.
