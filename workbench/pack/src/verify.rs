//! A packed file against the bot it was packed from.
