//! Where a training computes its gradients: on the processor, or on a graphics card in builds with the feature `gpu`.

use super::engine::{Engine, Example, Figures};
#[cfg(feature = "gpu")]
use super::tensors::TensorEngine;
use anyhow::Result;
#[cfg(feature = "gpu")]
use burn_autodiff::Autodiff;
#[cfg(feature = "gpu")]
use burn_cuda::Cuda;
use contender_nn::policy_value::Shape;

/// A training's network, ready for passes forward and backward.
#[allow(clippy::large_enum_variant)] // There is only one.
pub(super) enum AnyEngine {
    Processor(Engine),
    #[cfg(feature = "gpu")]
    Card(TensorEngine<Autodiff<Cuda>>),
}

impl AnyEngine {
    /// The network with these parameters, on the first card that [was found](find_card) or on so many threads.
    pub(super) fn new(shape: Shape, parameters: &[f32], threads: usize, is_on_card: bool) -> AnyEngine {
        #[cfg(feature = "gpu")]
        if is_on_card {
            return AnyEngine::Card(TensorEngine::new(shape, parameters, Default::default(), threads));
        }
        assert!(!is_on_card, "there are no cards without the feature");
        AnyEngine::Processor(Engine::new(shape, parameters, threads))
    }

    pub(super) fn set(&mut self, parameters: &[f32]) {
        match self {
            AnyEngine::Processor(engine) => engine.set(parameters),
            #[cfg(feature = "gpu")]
            AnyEngine::Card(engine) => engine.set(parameters),
        }
    }

    pub(super) fn gradient<E: Example>(&self, examples: &[&E], gradient: &mut [f32]) -> Figures {
        match self {
            AnyEngine::Processor(engine) => engine.gradient(examples, gradient),
            #[cfg(feature = "gpu")]
            AnyEngine::Card(engine) => engine.gradient(examples, gradient),
        }
    }
}

/// Says what is missing for learning on a graphics card. Burn panics where this finds nothing.
#[cfg(feature = "gpu")]
pub(super) fn find_card() -> Result<()> {
    use anyhow::{Context, bail, ensure};
    // SAFETY: NVIDIA's driver and compiler, looked for by their names, may be loaded at any time.
    let [has_driver, has_compiler] =
        unsafe { [cudarc::driver::sys::is_culib_present(), cudarc::nvrtc::sys::is_culib_present()] };
    ensure!(has_driver, "no graphics card: NVIDIA's driver is not installed (there is no libcuda)");
    let count = cudarc::driver::CudaContext::device_count().context("no graphics card")?;
    ensure!(count > 0, "no graphics card: NVIDIA's driver sees none");
    if !has_compiler || cubecl_cuda::install::cuda_path().is_none() {
        bail!(
            "CUDA's compiler at run time (NVRTC) is missing: install the CUDA toolkit, and set CUDA_PATH to it"
        );
    }
    Ok(())
}

/// Says that this build has no part for graphics cards.
#[cfg(not(feature = "gpu"))]
pub(super) fn find_card() -> Result<()> {
    anyhow::bail!(
        "this command was built without graphics cards: build it with `cargo build --release --features gpu`"
    )
}
