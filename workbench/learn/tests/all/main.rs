//! Trainings of shipped games and of those of the templates.

mod learning;
mod policy_value;
mod value_network;
