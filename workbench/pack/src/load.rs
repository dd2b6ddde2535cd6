//! Reads the files of one crate, and inserts the code of each module at its declaration.

mod crates;
mod files;
mod macros;

use crate::attributes;
use crate::built::{Built, Script};
use crate::cfg::Cfg;
use crate::clean::Cleaner;
use crate::derives::Macros;
use crate::error::{Obstacle, Sign};
use crate::named_files::NamedFile;
use crate::source;
use crate::tokens::{Rewriter, modules};
use crate::workspace::{Crate, Program};
use crate::{PackError, Unit};
use crates::leaves;
use files::{child_folder, module_file, tokens_of};
use macros::{chosen, declared_name};
use proc_macro2::{TokenStream, TokenTree};
use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use syn::{Attribute, Expr, ExprLit, Item, ItemMod, Lit, Meta, parse_quote};

/// Returns the comment that shows the source file of a module.
pub(crate) fn header(krate: &Crate, file: &Path) -> String {
    let place = file.strip_prefix(&krate.folder).unwrap_or(file);
    format!(" {}, {}", krate.package, place.display())
}

/// The crate that is being read, and the facts that its conditions depend on.
#[derive(Clone, Copy)]
pub(crate) struct Context<'a> {
    pub krate: &'a Crate,
    pub unit: Unit,
    pub script: &'a Script,
    pub conditions: &'a BTreeSet<String>,
    pub needed: &'a RefCell<BTreeSet<String>>,
}

impl<'a> Context<'a> {
    fn cfg(&self) -> Cfg<'a> {
        Cfg {
            features: &self.krate.features,
            script: &self.script.conditions,
            compiler: self.conditions,
            needed: self.needed,
        }
    }
}

/// A reader for the files of one crate.
pub(crate) struct Loader<'a> {
    context: Context<'a>,
    krate: &'a Crate,
    module: Option<&'a str>,
    /// The modules in the crate's root.
    root: HashSet<String>,
    /// The names of the macros that the crate exports, in the order in which they are found.
    pub exported: Vec<syn::Ident>,
    /// The exported macros whose definitions got other names.
    pub renamed: Vec<syn::Ident>,
    /// The modules of the crates whose macros this crate uses without a path.
    pub macro_use: Vec<String>,
    /// Definitions of the crate's macros that declare modules in files.
    module_macros: HashMap<String, TokenStream>,
    /// The files that are currently being read, to detect cyclic includes.
    open: Vec<PathBuf>,
    /// The obstacles to packing that were found. They do not stop the reading.
    pub problems: RefCell<Vec<Obstacle>>,
    /// The dependencies that the source names.
    pub named: RefCell<BTreeSet<String>>,
    /// The collected files that calls of macros name.
    pub files: RefCell<BTreeSet<NamedFile>>,
}

impl<'a> Loader<'a> {
    pub fn new(context: Context<'a>, module: Option<&'a String>) -> Loader<'a> {
        Loader {
            context,
            krate: context.krate,
            module: module.map(|module| &module[..]),
            root: HashSet::new(),
            exported: Vec::new(),
            renamed: Vec::new(),
            macro_use: Vec::new(),
            module_macros: HashMap::new(),
            open: Vec::new(),
            problems: RefCell::default(),
            named: RefCell::default(),
            files: RefCell::default(),
        }
    }

    fn rewriter<'f>(&'f self, file: &'f Path) -> Rewriter<'f> {
        Rewriter {
            krate: self.krate,
            module: self.module,
            root: &self.root,
            file,
            depth: 0,
            in_call: false,
            unit: self.context.unit,
            script: self.context.script,
            problems: &self.problems,
            named: &self.named,
            files: &self.files,
        }
    }

    /// Returns the attributes and items of a source file. Its child modules are in a folder next to `base`.
    pub fn file(
        &mut self,
        path: &Path,
        base: &Path,
        span: Option<(&Path, proc_macro2::Span)>,
    ) -> Result<(Vec<Attribute>, Vec<Item>), PackError> {
        let text = source::read_text(path).map_err(|error| match span {
            Some((file, span)) => PackError::at(file, span, format!("{}: {error}", path.display())),
            None => PackError::general(format!("{}: {error}", path.display())),
        })?;
        if self.open.iter().any(|open| open == path) {
            return Err(PackError::general(format!("{}: the file includes itself", path.display())));
        }
        if self.open.len() >= source::MAX_DEPTH {
            let reason =
                format!("{}: modules are nested more than {} files deep", path.display(), source::MAX_DEPTH);
            return Err(PackError::general(reason));
        }
        self.open.push(path.to_path_buf());
        let tokens = tokens_of(&text, path)?;
        if self.open.len() == 1 {
            self.root = modules(&tokens.clone().into_iter().collect::<Vec<_>>());
        }
        let of_syn = |error: &syn::Error| PackError::at(path, error.span(), error.to_string());
        let known = self.problems.get_mut().len();
        let rewritten = self.rewriter(path).rewrite(tokens)?;
        let file: syn::File = syn::parse2(rewritten).map_err(|error| of_syn(&error))?;
        // The conditions of the code decide whether these obstacles matter.
        let found = self.problems.get_mut().split_off(known);
        let mut attributes = file.attrs;
        let conditions = self.context.cfg();
        if !conditions.reduce(&mut attributes).map_err(|error| of_syn(&error))? {
            self.open.pop();
            return Ok((attributes, Vec::new()));
        }
        if let Some(feature) = attributes.iter().find(|attribute| attribute.path().is_ident("feature")) {
            let span = feature.path().segments[0].ident.span();
            let reason = "`#![feature]` needs a nightly compiler, but judges use stable ones";
            // External crates turn such features on only if their build scripts find a nightly compiler.
            if !self.krate.is_external {
                self.problems.get_mut().push(Obstacle::certain(PackError::at(path, span, reason)));
            }
        }
        let mut items = file.items;
        self.clean(&mut items, path);
        self.problems.get_mut().extend(still_there(found, &items));
        let folder = child_folder(base);
        let items = self.items(items, path, &folder)?;
        self.open.pop();
        Ok((attributes, items))
    }

    /// Writes out the derives and attributes that are procedural macros. If this fails, the reason is added to their
    /// obstacles.
    ///
    /// # Errors
    /// Returns [`PackError::Interrupted`] if `stop` is set.
    pub fn write_out_macros(
        &mut self,
        items: &mut Vec<Item>,
        program: &Program,
        built: &mut Option<Built>,
        stop: &AtomicBool,
    ) -> Result<(), PackError> {
        let krate = self.krate;
        let is_derive = |obstacle: &Obstacle| matches!(obstacle.sign, Sign::Derive(_));
        let has_derives = self.problems.get_mut().iter().any(is_derive);
        let has_attributes = attributes::are_among(items);
        if krate.macros.is_empty() || !(has_derives || has_attributes) {
            return Ok(());
        }
        let built = match built {
            Some(built) => Ok(built),
            None => program.build(false, stop).map(|made| built.insert(made)),
        };
        let macros = built.map(|built| {
            let files = krate.macros.iter();
            let files = files.filter_map(|(id, name)| Some((name.clone(), built.macros.get(id)?.clone())));
            Macros { files: files.collect(), krate }
        });
        let rewrite = |tokens| self.rewriter(&krate.root).rewrite(tokens);
        let mut derives = Ok(());
        if has_derives {
            derives = macros.clone().and_then(|macros| macros.write_out_derives(items, &rewrite, stop));
        }
        let mut attributes = Ok(());
        if has_attributes {
            attributes = macros.and_then(|macros| macros.write_out_attributes(items, &rewrite, stop));
        }
        if derives == Err(PackError::Interrupted) || attributes == Err(PackError::Interrupted) {
            return Err(PackError::Interrupted);
        }
        let problems = self.problems.get_mut();
        if derives.is_ok() {
            problems.retain(|obstacle| !is_derive(obstacle));
        }
        for obstacle in problems {
            let cause = match obstacle.sign {
                Sign::Derive(_) => derives.as_ref().err(),
                Sign::Attribute(_) => attributes.as_ref().err(),
                _ => None,
            };
            if let (Some(cause), PackError::At { reason, .. }) = (cause, &mut obstacle.problem) {
                *reason += &format!("\ncause: {cause}");
            }
        }
        Ok(())
    }

    /// Loads the modules among the items, and replaces crate names by module names.
    fn items(&mut self, items: Vec<Item>, file: &Path, folder: &Path) -> Result<Vec<Item>, PackError> {
        let mut done = Vec::with_capacity(items.len());
        // Macros that are exported by their names already.
        let mut imported = HashSet::new();
        let declared: HashSet<String> = items.iter().filter_map(declared_name).collect();
        for item in &items {
            if let Item::Use(syn::ItemUse {
                tree,
                vis: syn::Visibility::Public(_) | syn::Visibility::Restricted(_),
                ..
            }) = item
            {
                leaves(tree, &mut imported);
            }
        }
        for item in items {
            if let Some(mut made) = self.modules_of_call(&item) {
                self.clean(&mut made, file);
                done.extend(self.items(made, file, folder)?);
                continue;
            }
            match item {
                Item::Mod(module) => self.add_module(module, (file, folder), &imported, &mut done),
                Item::ExternCrate(krate) => done.extend(self.extern_crate(krate)),
                Item::Use(mut item) => {
                    self.use_names(&mut item.tree);
                    if matches!(item.vis, syn::Visibility::Public(_)) {
                        // The compiler then reports unused re-exports.
                        item.vis = parse_quote!(pub(crate));
                    }
                    done.push(Item::Use(item));
                }
                Item::Macro(item) if item.mac.path.is_ident("include") => {
                    done.extend(self.included(&item, file)?);
                }
                Item::Macro(item)
                    if item.mac.path.segments.last().is_some_and(|last| last.ident == "cfg_if") =>
                {
                    let conditions = self.context.cfg();
                    let chosen = chosen(item.mac.tokens.clone(), &conditions)
                        .and_then(|tokens| Ok(syn::parse2::<syn::File>(tokens)?.items));
                    let mut chosen = chosen
                        .map_err(|error| PackError::at(file, error.span(), format!("`cfg_if!`: {error}")))?;
                    self.clean(&mut chosen, file);
                    done.extend(self.items(chosen, file, folder)?);
                }
                Item::Macro(item) => {
                    self.add_macro(item, (file, folder), (&imported, &declared), &mut done);
                }
                other => done.push(other),
            }
        }
        Ok(done)
    }

    /// Adds a module, and the macros that it exports unless they are `imported`. A macro belongs to its crate's root,
    /// however deep it is written.
    fn add_module(
        &mut self,
        module: ItemMod,
        (file, folder): (&Path, &Path),
        imported: &HashSet<syn::Ident>,
        done: &mut Vec<Item>,
    ) {
        let known = self.exported.len();
        let module = match self.module(module, file, folder) {
            Ok(module) => module,
            Err(problem) => {
                self.problems.get_mut().push(Obstacle::certain(problem));
                return;
            }
        };
        let name = module.ident.clone();
        done.push(Item::Mod(module));
        let exported = self.exported[known..].iter().filter(|of| !imported.contains(of));
        done.extend(exported.map(|of| -> Item { parse_quote!(pub(crate) use #name::#of;) }));
    }

    /// Returns the items of the file that `include!` names.
    fn included(&mut self, item: &syn::ItemMacro, file: &Path) -> Result<Vec<Item>, PackError> {
        let span = item.mac.path.segments[0].ident.span();
        let path = self
            .rewriter(file)
            .text(item.mac.tokens.clone())
            .ok_or_else(|| PackError::at(file, span, "`include!` needs a string literal"))?;
        let path = file.parent().unwrap_or(Path::new("")).join(path);
        Ok(self.file(&path, file, Some((file, span)))?.1)
    }

    /// Decides the conditions of items in a file.
    fn clean(&mut self, items: &mut Vec<Item>, file: &Path) {
        let conditions = self.context.cfg();
        let mut cleaner = Cleaner { conditions: &conditions, file, problems: Vec::new() };
        cleaner.items(items);
        self.problems.get_mut().append(&mut cleaner.problems);
    }

    fn module(&mut self, mut module: ItemMod, file: &Path, folder: &Path) -> Result<ItemMod, PackError> {
        let given = module.attrs.iter().find_map(|attribute| match &attribute.meta {
            Meta::NameValue(pair) if pair.path.is_ident("path") => match &pair.value {
                Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text.value()),
                _ => None,
            },
            _ => None,
        });
        module.attrs.retain(|attribute| !attribute.path().is_ident("path"));
        let name = module.ident.to_string();
        let name = name.strip_prefix("r#").unwrap_or(&name);
        if let Some((brace, items)) = module.content.take() {
            let inner = match given {
                Some(path) => folder.join(path),
                None => folder.join(name),
            };
            module.content = Some((brace, self.items(items, file, &inner)?));
            return Ok(module);
        }
        let (path, base) = match given {
            // The `path` of a module in a file is relative to the file's folder, and the child modules are next to the
            // file.
            Some(given) => {
                let path = file.parent().unwrap_or(Path::new("")).join(&given);
                let base = path.with_file_name("mod.rs");
                (path, base)
            }
            None => {
                let path = module_file(folder, name)
                    .map_err(|reason| PackError::at(file, module.ident.span(), reason))?;
                (path.clone(), path)
            }
        };
        let (attributes, items) = self.file(&path, &base, Some((file, module.ident.span())))?;
        module.attrs.extend(
            attributes.into_iter().map(|attribute| Attribute { style: syn::AttrStyle::Outer, ..attribute }),
        );
        let header = header(self.krate, &path);
        module.attrs.insert(0, parse_quote!(#[doc = #header]));
        module.semi = None;
        module.content = Some((syn::token::Brace::default(), items));
        Ok(module)
    }
}

/// Returns the obstacles whose macro calls are still among the items after the conditions are decided.
fn still_there(mut obstacles: Vec<Obstacle>, items: &[Item]) -> Vec<Obstacle> {
    if !obstacles.is_empty() {
        let mut places = HashSet::new();
        arguments(quote::quote!(#(#items)*), &mut places);
        obstacles.retain(|obstacle| match obstacle.problem {
            PackError::At { line, column, .. } => places.contains(&(line, column)),
            _ => true,
        });
    }
    obstacles
}

/// Collects the places of the arguments of all macro calls, as lines and columns.
fn arguments(tokens: TokenStream, places: &mut HashSet<(usize, usize)>) {
    let mut is_called = false;
    for token in tokens {
        if let TokenTree::Group(group) = &token {
            if is_called {
                let start = group.span().start();
                places.insert((start.line, start.column + 1));
            }
            arguments(group.stream(), places);
        }
        is_called = matches!(&token, TokenTree::Punct(bang) if bang.as_char() == '!');
    }
}
