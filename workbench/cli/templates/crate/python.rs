//! The game as a Python module. To build it, run `maturin develop --release` in this folder, in an environment with the
//! package `contender`.

use pyo3::prelude::*;

#[pymodule]
fn {crate}(module: &Bound<'_, PyModule>) -> PyResult<()> {
    contender_python::fill(module, &[contender_python::{played}::<::{crate}::{contest}>(::{crate}::CONTEST)])
}
