//! The compiler flags that cargo would use, as far as they affect which code is compiled.

use crate::PackError;
use crate::compiler::PLATFORM;
use crate::source;
use std::path::{Path, PathBuf};

/// Returns the flags in `given`, or otherwise the flags in the variable `RUSTFLAGS` or in cargo's configuration for the
/// manifest, in cargo's order of precedence. Omits flags that do not affect which code is compiled.
///
/// # Errors
/// Returns an error if a configuration file is not valid TOML.
pub(crate) fn of(manifest: &Path, given: Option<&str>) -> Result<Vec<String>, PackError> {
    let words = |text: &str| text.split_whitespace().map(str::to_string).collect::<Vec<_>>();
    let all = match given.map(str::to_string).or_else(|| std::env::var("RUSTFLAGS").ok()) {
        Some(text) => words(&text),
        None => configured(manifest)?,
    };
    Ok(relevant(&all))
}

fn configured(manifest: &Path) -> Result<Vec<String>, PackError> {
    let manifest = manifest.canonicalize().unwrap_or_else(|_| manifest.to_path_buf());
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| std::env::home_dir().map(|home| home.join(".cargo")));
    let mut folders: Vec<PathBuf> =
        manifest.ancestors().skip(1).map(|folder| folder.join(".cargo")).collect();
    folders.extend(home.filter(|home| !folders.contains(home)));
    let (mut of_target, mut of_build) = (Vec::new(), Vec::new());
    // The flags of outer folders come first.
    for folder in folders.iter().rev() {
        let file =
            ["config", "config.toml"].map(|name| folder.join(name)).into_iter().find(|file| file.is_file());
        let Some(file) = file else { continue };
        let error =
            |reason: &dyn std::fmt::Display| PackError::general(format!("{}: {reason}", file.display()));
        let text = source::read_text(&file).map_err(|reason| error(&reason))?;
        let table: toml::Table = text.parse().map_err(|reason| error(&reason))?;
        let flags = |path: [&str; 2]| {
            let mut value = table.get(path[0])?;
            if !path[1].is_empty() {
                value = value.get(path[1])?;
            }
            value.get("rustflags")
        };
        of_target.extend(flags(["target", PLATFORM]).into_iter().flat_map(list));
        of_build.extend(flags(["build", ""]).into_iter().flat_map(list));
    }
    Ok(if of_target.is_empty() { of_build } else { of_target })
}

fn list(value: &toml::Value) -> Vec<String> {
    match value {
        toml::Value::String(text) => text.split_whitespace().map(str::to_string).collect(),
        toml::Value::Array(all) => all.iter().filter_map(|word| word.as_str()).map(str::to_string).collect(),
        _ => Vec::new(),
    }
}

/// Keeps only the flags that select the processor, its features, and conditions.
fn relevant(words: &[String]) -> Vec<String> {
    let mut kept = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let (flag, value) = match &word[..] {
            "-C" | "--codegen" => ("-C", words.next().cloned()),
            "--cfg" => ("--cfg", words.next().cloned()),
            joined => match (joined.strip_prefix("-C"), joined.strip_prefix("--cfg=")) {
                (Some(value), _) => ("-C", Some(value.to_string())),
                (_, Some(value)) => ("--cfg", Some(value.to_string())),
                _ => continue,
            },
        };
        let Some(value) = value else { continue };
        if flag == "--cfg" || value.starts_with("target-cpu=") || value.starts_with("target-feature=") {
            kept.extend([flag.to_string(), value]);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_configuration_around_a_package_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| {
            let path = folder.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        write("a/Cargo.toml", "");
        write(".cargo/config.toml", "[build]\nrustflags = \"-Ctarget-cpu=haswell -C link-arg=-s\"\n");
        let manifest = folder.path().join("a/Cargo.toml");
        assert_eq!(of(&manifest, None).unwrap(), ["-C", "target-cpu=haswell"]);
        write("a/.cargo/config.toml", "[build]\nrustflags = [\"--cfg\", \"fast\"]\n");
        assert_eq!(of(&manifest, None).unwrap(), ["-C", "target-cpu=haswell", "--cfg", "fast"]);
        let target = format!("[target.{PLATFORM}]\nrustflags = [\"-C\", \"target-feature=+avx2\"]\n");
        write("a/.cargo/config.toml", &target);
        assert_eq!(of(&manifest, None).unwrap(), ["-C", "target-feature=+avx2"]);
        assert_eq!(of(&manifest, Some("")).unwrap(), [""; 0]);
        write("a/.cargo/config.toml", "rustflags");
        assert!(of(&manifest, None).unwrap_err().to_string().contains("a/.cargo/config.toml: "));
    }
}
