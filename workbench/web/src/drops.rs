//! Files that users dropped on a page. The server keeps the last few in memory, each with a number.

use crate::App;
use crate::page::Problem;
use axum::Json;
use axum::body::Bytes;
use axum::extract::{Query, State};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

/// Maximum size of a file in bytes.
pub const MAX_BYTES: usize = 32 << 20;
/// Maximum number of kept files; a new file replaces the oldest one.
const MAX_COUNT: usize = 4;

/// The dropped files.
#[derive(Default)]
pub struct Drops(Mutex<Kept>);

#[derive(Default)]
struct Kept {
    last: u64,
    files: VecDeque<(u64, Dropped)>,
}

/// A dropped file.
#[derive(Clone)]
pub struct Dropped {
    pub name: String,
    pub bytes: Bytes,
}

impl Drops {
    /// Keeps a file and returns its number.
    pub fn keep(&self, file: Dropped) -> u64 {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.last += 1;
        let number = kept.last;
        kept.files.push_back((number, file));
        if kept.files.len() > MAX_COUNT {
            kept.files.pop_front();
        }
        number
    }

    /// Returns the file with this number, or `None` if the server no longer keeps it.
    pub fn get(&self, number: u64) -> Option<Dropped> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.files.iter().find(|(known, _)| *known == number).map(|(_, file)| file.clone())
    }
}

/// The query parameters of an upload.
#[derive(Deserialize)]
pub struct Named {
    name: String,
}

/// The answer to an upload: the address of the file's page.
#[derive(Serialize)]
pub struct Added {
    page: String,
}

/// Stores an uploaded file.
pub async fn add(
    State(app): State<Arc<App>>,
    Query(Named { name }): Query<Named>,
    bytes: Bytes,
) -> Result<Json<Added>, Problem> {
    if bytes.is_empty() {
        return Err(Problem::bad("The file is empty."));
    }
    let name = name.chars().take(100).collect();
    Ok(Json(Added { page: format!("/log?drop={}", app.drops.keep(Dropped { name, bytes })) }))
}
