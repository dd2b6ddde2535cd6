//! The game in Python: `maturin develop --release` in this folder, next to the package `contender`.

use pyo3::prelude::*;

#[pymodule]
fn {crate}(module: &Bound<'_, PyModule>) -> PyResult<()> {
    contender_python::fill(module, &[contender_python::{played}::<::{crate}::{contest}>(::{crate}::CONTEST)])
}
