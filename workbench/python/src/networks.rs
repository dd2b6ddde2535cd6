//! Network files as tensors.

use crate::{find, wrong};
use contender_nn::policy_value::{Network, Shape};
use contender_puct::LearnedGame;
use numpy::{IntoPyArray, PyArray2, PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn, PyUntypedArrayMethods};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::ops::Range;
use std::path::PathBuf;

/// A network's shape and the list of its parameters.
pub type Parameters = (Shape, Vec<f32>);

/// The file format of a game's networks.
#[derive(Clone, Copy)]
pub struct Files {
    /// A function that returns the shape for these numbers of channels, blocks, hidden neurons and sides.
    pub shape: fn([usize; 4]) -> Shape,
    pub read: fn(&[u8]) -> Result<Parameters, String>,
    pub write: fn(Shape, &[f32]) -> Vec<u8>,
    pub round: fn(&Shape, &mut [f32]),
    /// A function that returns the symmetries of the map: for each symmetry, the cell to which each cell is mapped.
    pub images: fn() -> Vec<Vec<usize>>,
}

impl Files {
    pub fn of<L: LearnedGame>() -> Files {
        Files {
            shape: |[channels, blocks, hidden, sides]| L::shape(channels, blocks, hidden, sides),
            read: L::read,
            write: L::write,
            round: L::round,
            images: L::images,
        }
    }

    /// Returns the shape for these numbers of channels, blocks, hidden neurons and sides. Checks that they are in
    /// range.
    fn checked_shape(&self, sizes: [usize; 4]) -> PyResult<Shape> {
        let [channels, blocks, hidden, sides] = sizes;
        let is_possible = channels.is_multiple_of(16)
            && (16..=256).contains(&channels)
            && blocks <= 40
            && (1..=1024).contains(&hidden)
            && (1..=2).contains(&sides);
        if !is_possible {
            return Err(wrong(format!(
                "invalid network of {channels} channels, {blocks} blocks, {hidden} hidden neurons, {sides} sides: \
                 expected a multiple of 16 channels up to 256, 0 to 40 blocks, 1 to 1024 hidden neurons, and 1 or 2 \
                 sides"
            )));
        }
        let shape = (self.shape)(sizes);
        match shape.sides == sides {
            true => Ok(shape),
            false => Err(wrong(format!("networks for this game have a policy for 1 side, not for {sides}"))),
        }
    }
}

/// Returns the name, shape and range of each tensor of a network, in the order of the parameters.
fn tensors(shape: &Shape) -> Vec<(String, Vec<usize>, Range<usize>)> {
    let (layout, heads, cells) = (shape.layout(), shape.heads(), shape.cells());
    let Shape { planes, channels, sides, hidden, .. } = *shape;
    let mut all = Vec::new();
    let mut add = |name: &str, size: Vec<usize>, weights, bias: Range<usize>| {
        all.push((name.to_string(), size, weights));
        all.push((format!("{name}_bias"), vec![bias.len()], bias));
    };
    add("embed", vec![planes, channels], layout.embed, layout.embed_bias);
    for (number, [weights, bias]) in layout.convolutions.into_iter().enumerate() {
        add(&format!("convolution{number}"), vec![3, 3, channels, channels], weights, bias);
    }
    add("heads", vec![channels, heads], layout.heads, layout.heads_bias);
    add("wait", vec![sides, cells], layout.wait, layout.wait_bias);
    add("hidden", vec![cells, hidden], layout.hidden, layout.hidden_bias);
    add("value", vec![hidden], layout.value, layout.value_bias);
    all
}

fn to_dict<'py>(py: Python<'py>, shape: &Shape, parameters: &[f32]) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (name, size, place) in tensors(shape) {
        dict.set_item(name, parameters[place].to_vec().into_pyarray(py).reshape(size)?)?;
    }
    Ok(dict)
}

/// Converts tensors to a network's shape and the list of its parameters.
pub fn from_dict(files: &Files, given: &Bound<'_, PyDict>) -> PyResult<Parameters> {
    let length = |name: &str| -> PyResult<usize> {
        let array = given.get_item(name)?.ok_or_else(|| wrong(format!("the tensor `{name}` is missing")))?;
        array.len()
    };
    let blocks = given.keys().iter().filter(|key| key.to_string().starts_with("convolution")).count() / 4;
    let sizes = [length("embed_bias")?, blocks, length("hidden_bias")?, length("wait_bias")?];
    let shape = files.checked_shape(sizes)?;
    let all = tensors(&shape);
    if given.len() != all.len() {
        return Err(wrong(format!("{} tensors instead of {}", given.len(), all.len())));
    }
    let mut parameters = vec![0.0; shape.parameters()];
    for (name, size, place) in all {
        let array = given.get_item(&name)?.ok_or_else(|| wrong(format!("the tensor `{name}` is missing")))?;
        let array = array
            .cast::<PyArrayDyn<f32>>()
            .map_err(|_| wrong(format!("`{name}` is not an array of float32")))?;
        if array.shape() != size {
            return Err(wrong(format!("`{name}` has the shape {:?} instead of {size:?}", array.shape())));
        }
        let array: PyReadonlyArrayDyn<'_, f32> = array.try_readonly()?;
        for (parameter, number) in parameters[place].iter_mut().zip(array.as_array().iter()) {
            *parameter = *number;
        }
    }
    match parameters.iter().any(|number| !number.is_finite()) {
        true => Err(wrong("a parameter is not finite")),
        false => Ok((shape, parameters)),
    }
}

/// Loads a network from a file that bots can read.
///
/// Returns a dict of float32 arrays: `embed` [planes, channels], `convolution0`... [3, 3, inputs, outputs], `heads`
/// [channels, sides * (actions + 1) + 1], `wait` [sides, cells], `hidden` [cells, hidden], `value` [hidden], each with
/// its `_bias`.
#[pyfunction]
#[pyo3(signature = (game, path))]
pub fn load_network<'py>(py: Python<'py>, game: &str, path: PathBuf) -> PyResult<Bound<'py, PyDict>> {
    let files = find(game)?.learned()?.files;
    let bytes =
        std::fs::read(&path).map_err(|error| PyOSError::new_err(format!("{}: {error}", path.display())))?;
    let (shape, parameters) =
        (files.read)(&bytes).map_err(|error| wrong(format!("{}: {error}", path.display())))?;
    to_dict(py, &shape, &parameters)
}

/// Saves a network to a file that bots can read. The numbers are rounded to a few bits (see `round_network`).
#[pyfunction]
#[pyo3(signature = (game, path, tensors))]
pub fn save_network(game: &str, path: PathBuf, tensors: &Bound<'_, PyDict>) -> PyResult<()> {
    let files = find(game)?.learned()?.files;
    let (shape, parameters) = from_dict(&files, tensors)?;
    let bytes = (files.write)(shape, &parameters);
    std::fs::write(&path, bytes).map_err(|error| PyOSError::new_err(format!("{}: {error}", path.display())))
}

/// Rounds a network exactly as if it were saved with `save_network` and loaded with `load_network`.
#[pyfunction]
#[pyo3(signature = (game, tensors))]
pub fn round_network<'py>(
    py: Python<'py>,
    game: &str,
    tensors: &Bound<'py, PyDict>,
) -> PyResult<Bound<'py, PyDict>> {
    let files = find(game)?.learned()?.files;
    let (shape, mut parameters) = from_dict(&files, tensors)?;
    py.detach(|| (files.round)(&shape, &mut parameters));
    to_dict(py, &shape, &parameters)
}

/// Returns a dict with the shapes of a network's tensors, in the order of the file, for a network with these sizes.
#[pyfunction]
#[pyo3(signature = (game, channels, blocks, hidden, sides=1))]
pub fn network_shapes<'py>(
    py: Python<'py>,
    game: &str,
    channels: usize,
    blocks: usize,
    hidden: usize,
    sides: usize,
) -> PyResult<Bound<'py, PyDict>> {
    let files = find(game)?.learned()?.files;
    let shape = files.checked_shape([channels, blocks, hidden, sides])?;
    let dict = PyDict::new(py);
    for (name, size, _) in tensors(&shape) {
        dict.set_item(name, pyo3::types::PyTuple::new(py, size)?)?;
    }
    Ok(dict)
}

/// Creates a network from tensors, ready for evaluation.
pub fn network(files: &Files, tensors: &Bound<'_, PyDict>) -> PyResult<Network> {
    let (shape, parameters) = from_dict(files, tensors)?;
    Ok(Network::new(shape, &parameters))
}

/// Returns the symmetries of a game's map: int64 [symmetries, cells], with the cell to which each cell is mapped. The
/// first symmetry is the identity.
#[pyfunction]
pub fn symmetries<'py>(py: Python<'py>, game: &str) -> PyResult<Bound<'py, PyArray2<i64>>> {
    let images = (find(game)?.learned()?.files.images)();
    let images: Vec<Vec<i64>> =
        images.into_iter().map(|image| image.into_iter().map(|cell| cell as i64).collect()).collect();
    Ok(PyArray2::from_vec2(py, &images)?)
}
