//! Training runs of bundled games and of the templates' games.

mod learning;
mod policy_value;
mod value_network;
