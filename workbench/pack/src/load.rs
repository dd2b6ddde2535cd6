//! Reads the files of one crate, and inserts the code of each module at its declaration.

use crate::built::{Built, Script};
use crate::cfg::Cfg;
use crate::clean::Cleaner;
use crate::derives::Macros;
use crate::error::{Obstacle, Sign};
use crate::expand::expansion;
use crate::macro_paths::INNER;
use crate::source;
use crate::tokens::{Rewriter, modules};
use crate::workspace::{Crate, Place, Program};
use crate::{PackError, Unit};
use proc_macro2::{TokenStream, TokenTree};
use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use syn::{Attribute, Expr, ExprLit, Item, ItemMod, Lit, Meta, UseTree, parse_quote};

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

    /// Writes out the derives that are procedural macros. If this fails, the reason is added to their obstacles.
    ///
    /// # Errors
    /// Returns [`PackError::Interrupted`] if `stop` is set.
    pub fn write_out_derives(
        &mut self,
        items: &mut Vec<Item>,
        program: &Program,
        built: &mut Option<Built>,
        stop: &AtomicBool,
    ) -> Result<(), PackError> {
        let krate = self.krate;
        let is_derive = |obstacle: &Obstacle| matches!(obstacle.sign, Sign::Derive(_));
        if krate.macros.is_empty() || !self.problems.get_mut().iter().any(is_derive) {
            return Ok(());
        }
        let mut write_out = || {
            let built = match built {
                Some(built) => built,
                None => built.insert(program.build(false, stop)?),
            };
            let files = krate.macros.iter();
            let files = files.filter_map(|(id, name)| Some((name.clone(), built.macros.get(id)?.clone())));
            let macros = Macros { files: files.collect(), edition: krate.edition };
            macros.write_out(items, &|tokens| self.rewriter(&krate.root).rewrite(tokens), stop)
        };
        match write_out() {
            Ok(()) => self.problems.get_mut().retain(|obstacle| !is_derive(obstacle)),
            Err(PackError::Interrupted) => return Err(PackError::Interrupted),
            Err(cause) => {
                for obstacle in self.problems.get_mut().iter_mut().filter(|obstacle| is_derive(obstacle)) {
                    if let PackError::At { reason, .. } = &mut obstacle.problem {
                        *reason += &format!("\ncause: {cause}");
                    }
                }
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

    /// Adds the definition or the call of a macro. An exported definition gets a path, unless it is `imported`. If an
    /// item in the list `declared` or an attribute has the same name, an import of the name would also mean the other
    /// thing, so the definition gets another name.
    fn add_macro(
        &mut self,
        mut item: syn::ItemMacro,
        (file, folder): (&Path, &Path),
        (imported, declared): (&HashSet<syn::Ident>, &HashSet<String>),
        done: &mut Vec<Item>,
    ) {
        let attributes = item.attrs.len();
        let calls_own = item.attrs.iter().any(|attribute| {
            matches!(&attribute.meta, Meta::List(list) if list.path.is_ident("macro_export")
                && list.tokens.to_string() == INNER)
        });
        item.attrs.retain(|attribute| !attribute.path().is_ident("macro_export"));
        let is_exported = item.attrs.len() < attributes;
        if calls_own {
            item.attrs.push(parse_quote!(#[local_inner_macros]));
        }
        let name = item.ident.clone();
        if let Some(name) = name.as_ref().filter(|_| declares_file(item.mac.tokens.clone())) {
            self.module_macros.insert(name.to_string(), item.mac.tokens.clone());
        }
        if name.is_none() {
            item.mac.tokens = self.with_modules(item.mac.tokens, file, folder);
        }
        let Some(name) = name.filter(|_| is_exported) else {
            done.push(Item::Macro(item));
            return;
        };
        let is_shared =
            ATTRIBUTES.iter().any(|attribute| name == attribute) || declared.contains(&name.to_string());
        if is_shared {
            let own = quote::format_ident!("{name}_macro");
            item.ident = Some(own.clone());
            done.push(Item::Macro(item));
            done.push(parse_quote!(pub(crate) use #own as #name;));
            self.renamed.push(name.clone());
        } else {
            done.push(Item::Macro(item));
            if !imported.contains(&name) {
                done.push(parse_quote!(pub(crate) use #name;));
            }
        }
        self.exported.push(name);
    }

    /// Decides the conditions of items in a file.
    fn clean(&mut self, items: &mut Vec<Item>, file: &Path) {
        let conditions = self.context.cfg();
        let mut cleaner = Cleaner { conditions: &conditions, file, problems: Vec::new() };
        cleaner.items(items);
        self.problems.get_mut().append(&mut cleaner.problems);
    }

    /// Returns the items of a macro call if the macro's definition declares modules in files.
    fn modules_of_call(&self, item: &Item) -> Option<Vec<Item>> {
        let Item::Macro(syn::ItemMacro { ident: None, mac, .. }) = item else { return None };
        let definition = self.module_macros.get(&mac.path.segments.last()?.ident.to_string())?;
        expansion(definition.clone(), mac)
    }

    /// Inserts the sources of modules that are declared in a macro call such as `cfg_std! { mod files; }`, because the
    /// macro would otherwise look for their files. Replaces `extern crate` there too. Does not change tokens without
    /// such items, or modules without a file, because the macro may drop them.
    fn with_modules(&mut self, tokens: TokenStream, file: &Path, folder: &Path) -> TokenStream {
        if let [proc_macro2::TokenTree::Group(group)] = &tokens.clone().into_iter().collect::<Vec<_>>()[..]
            && group.delimiter() == proc_macro2::Delimiter::Brace
        {
            let inner = self.with_modules(group.stream(), file, folder);
            return proc_macro2::TokenTree::from(proc_macro2::Group::new(group.delimiter(), inner)).into();
        }
        let is_loaded = |item: &Item| match item {
            Item::Mod(module) => module.content.is_none(),
            item => matches!(item, Item::ExternCrate(_)),
        };
        let Ok(syn::File { items, .. }) = syn::parse2(tokens.clone()) else { return tokens };
        if !items.iter().any(is_loaded) {
            return tokens;
        }
        let items = items.into_iter().filter_map(|item| match item {
            Item::Mod(module) if module.content.is_none() => {
                let loaded = self.module(module.clone(), file, folder);
                Some(Item::Mod(loaded.unwrap_or(module)))
            }
            Item::ExternCrate(krate) => self.extern_crate(krate),
            other => Some(other),
        });
        let items: Vec<Item> = items.collect();
        quote::quote!(#(#items)*)
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

    fn extern_crate(&mut self, mut item: syn::ItemExternCrate) -> Option<Item> {
        let uses_macros = item.attrs.iter().any(|attribute| attribute.path().is_ident("macro_use"));
        if item.ident == "self" {
            let (visibility, name) = (&item.vis, item.rename.map(|(_, name)| name)?);
            return Some(match self.module {
                Some(module) => {
                    let module = syn::Ident::new(module, item.ident.span());
                    parse_quote!(#visibility use crate::#module as #name;)
                }
                None => parse_quote!(#visibility use crate as #name;),
            });
        }
        let module = match self.place(&item.ident) {
            Some(Place::Module(module)) => module,
            // The compiler's own crates, and those that the judge has, keep their names.
            Some(Place::Judge) | None => {
                item.attrs.retain(|attribute| {
                    !attribute.path().is_ident("macro_use") || (self.module.is_none() && item.ident != "std")
                });
                return Some(Item::ExternCrate(item));
            }
            Some(Place::Compiler(_)) => return None,
        };
        if uses_macros {
            self.macro_use.push(module.clone());
        }
        if matches!(item.vis, syn::Visibility::Public(_)) {
            item.vis = parse_quote!(pub(crate));
        }
        let (visibility, library) = (&item.vis, syn::Ident::new(&module, item.ident.span()));
        match &item.rename {
            Some((_, name)) if name == "_" => None,
            Some((_, name)) => Some(parse_quote!(#visibility use crate::#library as #name;)),
            None if item.ident == library => Some(parse_quote!(#visibility use crate::#library;)),
            None => {
                let name = &item.ident;
                Some(parse_quote!(#visibility use crate::#library as #name;))
            }
        }
    }

    /// Returns the location of the crate with this name, and records that the source names it.
    fn place(&self, name: &syn::Ident) -> Option<Place> {
        let place = self.krate.place_of(&name.to_string())?;
        self.named.borrow_mut().insert(name.to_string());
        Some(place.clone())
    }

    fn library(&self, name: &syn::Ident) -> Option<String> {
        match self.place(name)? {
            Place::Module(module) => Some(module),
            Place::Judge | Place::Compiler(_) => None,
        }
    }

    /// Handles `use dependency;` and `use dependency as name;`, which have no path separator after the crate's name.
    fn use_names(&self, tree: &mut UseTree) {
        match tree {
            UseTree::Name(name) => {
                if let Some(library) = self.library(&name.ident) {
                    let (library, own) = (syn::Ident::new(&library, name.ident.span()), &name.ident);
                    *tree = parse_quote!(crate::#library as #own);
                }
            }
            UseTree::Rename(rename) => {
                if let Some(library) = self.library(&rename.ident) {
                    let (library, own) = (syn::Ident::new(&library, rename.ident.span()), &rename.rename);
                    *tree = parse_quote!(crate::#library as #own);
                }
            }
            UseTree::Group(group) => group.items.iter_mut().for_each(|tree| self.use_names(tree)),
            UseTree::Path(_) | UseTree::Glob(_) => {}
        }
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

/// Returns whether tokens contain `mod name;`, in any depth.
fn declares_file(tokens: TokenStream) -> bool {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    tokens.windows(3).any(|three| {
        matches!(three, [TokenTree::Ident(word), TokenTree::Ident(_), TokenTree::Punct(end)]
            if word == "mod" && end.as_char() == ';')
    }) || tokens.iter().any(|token| matches!(token, TokenTree::Group(group) if declares_file(group.stream())))
}

/// Attributes of the compiler that can have the name of a macro.
const ATTRIBUTES: [&str; 16] = [
    "allow",
    "cfg",
    "cold",
    "deny",
    "deprecated",
    "doc",
    "expect",
    "forbid",
    "ignore",
    "inline",
    "link",
    "must_use",
    "path",
    "repr",
    "used",
    "warn",
];

/// Returns the name of an item that is neither a macro nor an import.
fn declared_name(item: &Item) -> Option<String> {
    let name = match item {
        Item::Const(of) => &of.ident,
        Item::Enum(of) => &of.ident,
        Item::Fn(of) => &of.sig.ident,
        Item::Mod(of) => &of.ident,
        Item::Static(of) => &of.ident,
        Item::Struct(of) => &of.ident,
        Item::Trait(of) => &of.ident,
        Item::Type(of) => &of.ident,
        Item::Union(of) => &of.ident,
        _ => return None,
    };
    Some(name.to_string())
}

/// Collects the names that an import brings into scope.
fn leaves(tree: &UseTree, names: &mut HashSet<syn::Ident>) {
    match tree {
        UseTree::Path(path) => leaves(&path.tree, names),
        UseTree::Group(group) => group.items.iter().for_each(|tree| leaves(tree, names)),
        UseTree::Name(name) => {
            names.insert(name.ident.clone());
        }
        UseTree::Rename(rename) => {
            names.insert(rename.rename.clone());
        }
        UseTree::Glob(_) => {}
    }
}

/// Returns the branch of a `cfg_if!` call whose condition is true.
fn chosen(tokens: TokenStream, conditions: &Cfg<'_>) -> syn::Result<TokenStream> {
    let branch = |input: syn::parse::ParseStream<'_>| -> syn::Result<TokenStream> {
        loop {
            if input.peek(syn::Token![if]) {
                input.parse::<syn::Token![if]>()?;
                let mut attributes = input.call(Attribute::parse_outer)?;
                let block: proc_macro2::Group = input.parse()?;
                if conditions.reduce(&mut attributes)? {
                    input.parse::<TokenStream>()?;
                    return Ok(block.stream());
                }
            } else if input.is_empty() {
                return Ok(TokenStream::new());
            } else {
                let block: proc_macro2::Group = input.parse()?;
                return Ok(block.stream());
            }
            if input.peek(syn::Token![else]) {
                input.parse::<syn::Token![else]>()?;
            }
        }
    };
    syn::parse::Parser::parse2(branch, tokens)
}

/// Returns the folder that contains the child modules of a file.
fn child_folder(file: &Path) -> PathBuf {
    let folder = file.parent().unwrap_or(Path::new(""));
    let stem = file.file_stem().unwrap_or_default();
    if matches!(stem.to_str(), Some("mod" | "lib" | "main")) || is_bin(file) {
        folder.to_path_buf()
    } else {
        folder.join(stem)
    }
}

/// Returns whether a file is a program in `src/bin`, which is the root of a separate crate.
fn is_bin(file: &Path) -> bool {
    file.parent().and_then(Path::file_name).is_some_and(|folder| folder == "bin" || folder == "examples")
}

/// Returns the tokens of a source file.
fn tokens_of(text: &str, path: &Path) -> Result<TokenStream, PackError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    // A first line `#!/...` is no attribute.
    let text = match text.strip_prefix("#!") {
        Some(rest) if !rest.trim_start().starts_with('[') => &rest[rest.find('\n').unwrap_or(rest.len())..],
        _ => text,
    };
    let tokens: TokenStream = text
        .parse()
        .map_err(|error: proc_macro2::LexError| PackError::at(path, error.span(), "invalid Rust"))?;
    match source::too_deep(&tokens) {
        None => Ok(tokens),
        Some(span) => {
            let reason = format!(
                "more than {} nested brackets, or more than {} tokens without a `,` or `;` between them",
                source::MAX_DEPTH,
                source::MAX_LENGTH
            );
            Err(PackError::at(path, span, reason))
        }
    }
}

/// Returns the file of a module, or a message if the folder has no such file or two of them.
fn module_file(folder: &Path, name: &str) -> Result<PathBuf, String> {
    let flat = folder.join(format!("{name}.rs"));
    let nested = folder.join(name).join("mod.rs");
    let [one, other] = [&flat, &nested].map(|path| path.display());
    match (flat.is_file(), nested.is_file()) {
        (true, false) => Ok(flat),
        (false, true) => Ok(nested),
        (true, true) => Err(format!("module `{name}` has two files: {one} and {other}")),
        (false, false) => Err(format!("module `{name}` has no file: neither {one} nor {other}")),
    }
}
