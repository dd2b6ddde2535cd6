//! `contender match`: which of two bots is better.

use super::{entrant, referee};
use crate::args::MatchArgs;
use crate::interrupt::stop_flag;
use anyhow::Context;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::process::ExitCode;
use std::time::Duration;
