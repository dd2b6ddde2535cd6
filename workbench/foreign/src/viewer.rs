//! Assembly of a challenge's original viewer in a folder, in the same way as CodinGame's runner does to show a game in
//! a browser.
//!
//! The files come from the folder `view` of each part of the class path: the game, the engine with its modules, and the
//! runner. The runner adds `assets.js`, the list of images (codingame-game-engine, `Renderer.generateAssetsFile`).

use crate::{ForeignError, Installed, ToolFailure};
use contender_referee::{ChildGuard, CommandLine, ExitStatus, WaitOutcome};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The folder in each part of the class path that contains the viewer's files.
const VIEW: &str = "view";
/// Files that every viewer needs, each with the part that contains it.
const NEEDED: [(&str, &str); 3] =
    [("player.html", "the runner"), ("core/Drawer.js", "the engine"), ("config.js", "the game")];
/// Time limit for unpacking a jar file.
const UNPACKING: Duration = Duration::from_secs(120);

impl Installed {
    /// Assembles the challenge's viewer in a new folder. `kept` is the folder of all installed referees.
    ///
    /// # Errors
    /// Returns an error if the folder exists, if files cannot be copied, or if a part of the viewer is missing.
    pub fn viewer(&self, kept: &Path, to: &Path, stop: &AtomicBool) -> Result<(), ForeignError> {
        if to.exists() {
            return Err(ForeignError::FolderExists(to.to_path_buf()));
        }
        let place = kept.join(&self.name);
        let class_path = self.command.iter().skip_while(|word| !["-cp", "-jar"].contains(&word.as_str()));
        let mut parts: Vec<PathBuf> =
            [Path::new(&self.source), &place.join("project"), &place.join("repository")]
                .map(|project| project.join("src/main/resources"))
                .to_vec();
        parts.extend(class_path.skip(1).take(1).flat_map(|paths| std::env::split_paths(paths)));
        let made = collect(&parts, to, stop);
        if made.is_err() {
            let _ = fs::remove_dir_all(to);
        }
        made
    }
}

/// Copies the viewer's files from all parts of the class path. Earlier entries override later ones, so they are copied
/// last.
fn collect(parts: &[PathBuf], to: &Path, stop: &AtomicBool) -> Result<(), ForeignError> {
    let failed = ForeignError::file("write", to);
    fs::create_dir_all(to).map_err(&failed)?;
    for part in parts.iter().rev() {
        if part.is_dir() {
            copy(&part.join(VIEW), to).map_err(&failed)?;
        } else if part.extension().is_some_and(|suffix| suffix == "jar") {
            let unpacked = tempfile::tempdir().map_err(&failed)?;
            unpack(part, unpacked.path(), stop)?;
            copy(&unpacked.path().join(VIEW), to).map_err(&failed)?;
        }
    }
    if let Some(&(file, origin)) = NEEDED.iter().find(|(file, _)| !to.join(file).is_file()) {
        return Err(ForeignError::NoViewer { file, origin });
    }
    if !to.join("demo.js").exists() {
        fs::write(to.join("demo.js"), "export const demo = null;\n").map_err(&failed)?;
    }
    fs::write(to.join("assets.js"), format!("export const assets = {}\n", assets(to)?)).map_err(&failed)?;
    if let Some((script, import)) = missing_script(to) {
        return Err(ForeignError::NoScript { script, import, remedy: remedy(parts) });
    }
    Ok(())
}

/// Returns the first missing script that is imported, starting from `config.js`, together with the script that imports
/// it. Without this script, the page would be blank.
fn missing_script(viewer: &Path) -> Option<(String, String)> {
    let name = |path: &Path| path.strip_prefix(viewer).unwrap_or(path).display().to_string();
    let mut scripts = vec![viewer.join(NEEDED[2].0)];
    let mut seen = 0;
    while let Some(script) = scripts.get(seen).cloned() {
        seen += 1;
        for import in imports(&contender_input::read_text(&script).unwrap_or_default()) {
            let wanted = match import.strip_prefix('/') {
                Some(path) => viewer.join(path),
                None => script.with_file_name(&import),
            };
            match wanted.canonicalize() {
                Ok(found)
                    if scripts.iter().all(|known| known.canonicalize().ok().as_ref() != Some(&found)) =>
                {
                    scripts.push(wanted);
                }
                Ok(_) => {}
                Err(_) => return Some((name(&script), import)),
            }
        }
    }
    None
}

/// Returns the paths of the files that a script imports.
fn imports(script: &str) -> Vec<String> {
    let lines =
        script.lines().map(str::trim).filter(|line| !line.starts_with("//") && !line.starts_with('*'));
    let words = lines.flat_map(|line| ["from ", "import "].map(|word| line.rsplit_once(word)));
    let quoted = words.flatten().filter_map(|(_, rest)| {
        let rest = rest.trim_start();
        let mark = rest.chars().next().filter(|mark| ['\'', '"'].contains(mark))?;
        Some(rest[1..].split_once(mark)?.0.to_string())
    });
    quoted.filter(|path| path.starts_with(['.', '/'])).collect()
}

/// Returns advice about missing scripts, which are probably written in TypeScript and have not been compiled.
fn remedy(parts: &[PathBuf]) -> String {
    let sources = parts.iter().filter(|part| part.ends_with("src/main/resources"));
    let settings =
        sources.filter_map(|part| part.parent()?.parent()?.parent()).find_map(settings_of_typescript);
    settings.map_or(String::new(), |settings| {
        format!(
            "\nhint: the viewer is written in TypeScript and has not been compiled; use `npx -p typescript \
             tsc -p {}`",
            shell_words::quote(&settings.display().to_string())
        )
    })
}

/// Returns the `tsconfig.json` of a project.
fn settings_of_typescript(project: &Path) -> Option<PathBuf> {
    let places = ["", "src/main/resources", "src/main/resources/view", "src/main/resources/view/ts"];
    places.iter().map(|place| project.join(place).join("tsconfig.json")).find(|path| path.is_file())
}

/// Returns the images, sprite sheets and fonts in `assets`. The image that a sprite sheet refers to is not listed
/// separately.
fn assets(viewer: &Path) -> Result<Value, ForeignError> {
    let mut files = Vec::new();
    list(&viewer.join("assets"), &mut files);
    files.sort();
    let name = |path: &Path, from: &Path| {
        let within = path.strip_prefix(from).unwrap_or(path);
        within.iter().map(|part| part.to_string_lossy()).collect::<Vec<_>>().join("/")
    };
    let is = |path: &Path, suffix: &str| path.extension().is_some_and(|own| own == suffix);
    let (mut images, mut sprites, mut fonts, mut linked) =
        (Map::new(), Vec::new(), Vec::new(), BTreeSet::new());
    for file in &files {
        let own = name(file, viewer);
        if is(file, "json") {
            let text = contender_input::read_text(file).map_err(ForeignError::file("read", file))?;
            let sheet: Value = serde_json::from_str(&text)
                .map_err(|source| ForeignError::Json { file: own.clone(), source })?;
            let Some(image) = sheet.pointer("/meta/image").and_then(Value::as_str) else { continue };
            linked.insert(name(&file.with_file_name(image), viewer));
            sprites.push(own);
        } else if is(file, "fnt") {
            fonts.push(own);
        } else {
            images.insert(name(file, &viewer.join("assets")), json!(own));
        }
    }
    images.retain(|_, file| !linked.contains(file.as_str().unwrap_or_default()));
    Ok(json!({ "images": images, "sprites": sprites, "fonts": fonts }))
}

fn list(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => list(&entry.path(), files),
            Ok(kind) if kind.is_file() => files.push(entry.path()),
            _ => {}
        }
    }
}

/// Copies the files from one folder to another. Skips symbolic links, because they may point to files outside the
/// folder.
fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    let mut files = Vec::new();
    list(from, &mut files);
    // A Java package may have the same name, so skip its classes.
    for file in files.into_iter().filter(|file| file.extension().is_none_or(|suffix| suffix != "class")) {
        let target = to.join(file.strip_prefix(from).unwrap_or(&file));
        target.parent().map_or(Ok(()), fs::create_dir_all)?;
        fs::copy(&file, target)?;
    }
    Ok(())
}

/// Unpacks the viewer's part of a jar file with the JDK's `jar` tool.
fn unpack(jar: &Path, to: &Path, stop: &AtomicBool) -> Result<(), ForeignError> {
    let path = jar.canonicalize().map_err(ForeignError::file("read", jar))?;
    let path = path.display().to_string();
    let line = CommandLine::new(["jar", "xf", path.as_str(), VIEW]).within(to);
    let failed = |failure, hint| ForeignError::Tool { task: format!("cannot unpack {path}"), failure, hint };
    let mut process = ChildGuard::start(&line, 1 << 16, 1 << 12)
        .map_err(|error| failed(ToolFailure::Start(error), Some("`jar` is part of a JDK")))?;
    process.close_input();
    let waited = process.wait(UNPACKING, stop, |_| false);
    let remains = process.end();
    match (waited, remains.status) {
        (WaitOutcome::Ended, Some(ExitStatus::Code(0))) => Ok(()),
        _ => Err(failed(ToolFailure::Output(remains.stderr.trim().to_string()), None)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The game's own files override those of the engine, and only images that no sprite sheet uses are listed
    /// separately.
    #[test]
    fn a_viewer_is_put_together() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        write("engine/view/core/Drawer.js", "drawer");
        write("engine/view/config.js", "engine");
        write("runner/view/player.html", "player");
        write("game/view/config.js", "game");
        write("game/view/assets/sheet.json", r#"{"meta":{"image":"sheet.png"}}"#);
        write("game/view/assets/data.json", "{}");
        write("game/view/assets/sheet.png", "1");
        write("game/view/assets/sub/logo.png", "2");
        write("game/view/assets/a.fnt", "3");
        write("game/elsewhere/x.js", "x");
        write("game/view/View.class", "bytes");
        let part = |name: &str| folder.path().join(name);
        let to = part("viewer");
        let stop = AtomicBool::new(false);
        collect(&[part("game"), part("engine"), part("runner"), part("none")], &to, &stop).unwrap();
        let read = |name: &str| fs::read_to_string(to.join(name)).unwrap();
        assert_eq!([read("config.js"), read("core/Drawer.js")], ["game", "drawer"]);
        let assets: Value = serde_json::from_str(read("assets.js").split_once("= ").unwrap().1).unwrap();
        assert_eq!(
            assets,
            json!({
                "images": { "sub/logo.png": "assets/sub/logo.png" },
                "sprites": ["assets/sheet.json"],
                "fonts": ["assets/a.fnt"],
            })
        );
        assert_eq!(read("demo.js"), "export const demo = null;\n");
        assert!(!to.join("x.js").exists() && !to.join("View.class").exists());
        let error = collect(&[part("game"), part("engine")], &part("other"), &stop).unwrap_err().to_string();
        assert!(error.contains("player.html`, which belongs to the runner"), "{error}");
    }

    /// A viewer with scripts that were not compiled from TypeScript would show a blank page.
    #[test]
    fn scripts_that_were_not_compiled_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let resources = folder.path().join("game/src/main/resources");
        let write = |path: PathBuf, text: &str| {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        let view = resources.join("view");
        write(view.join("player.html"), "player");
        write(
            view.join("core/Drawer.js"),
            "import * as demo from '../demo.js'\n// import x from './gone.js'\n",
        );
        write(
            view.join("config.js"),
            "import {\n  A,\n  B } from './ts/View.js';\nimport \"/core/Drawer.js\"",
        );
        write(view.join("ts/View.ts"), "export class View {}");
        write(folder.path().join("game/tsconfig.json"), "{}");
        let make = |to: &str| {
            collect(std::slice::from_ref(&resources), &folder.path().join(to), &AtomicBool::new(false))
        };
        let error = make("one").unwrap_err().to_string();
        assert!(error.contains("`config.js` of the viewer imports `./ts/View.js`"), "{error}");
        assert!(error.contains("game/tsconfig.json"), "{error}");
        write(view.join("ts/View.js"), "import { C } from './other/C.js'");
        assert!(
            make("two")
                .unwrap_err()
                .to_string()
                .contains("`ts/View.js` of the viewer imports `./other/C.js`")
        );
        write(view.join("ts/other/C.js"), "import '../View.js'");
        make("three").unwrap();
    }
}
