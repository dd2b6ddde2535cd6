//! Combines crates into one file, each as a module.

use crate::cfg::Cfg;
use crate::source;
use crate::tokens::Rewriter;
use crate::workspace::{Crate, Program};
use crate::{PackError, Unit};
use std::cell::RefCell;
use std::path::{Path, PathBuf};
use syn::visit_mut::{self, VisitMut};
use syn::{Attribute, Expr, ExprLit, Item, ItemMod, Lit, Meta, Stmt, UseTree, parse_quote};

/// Traits that the standard library can derive; any other derive is a procedural macro.
const DERIVES: [&str; 9] =
    ["Clone", "Copy", "Debug", "Default", "Eq", "Hash", "Ord", "PartialEq", "PartialOrd"];

/// Combines a program into one file: each library crate becomes a module with its name, and the program itself the
/// root. Data is encoded for a judge that counts in this unit.
///
/// # Errors
/// Returns everything that cannot be part of one file, with its place; the program's own obstacles come first.
pub fn bundle(program: &mut Program, unit: Unit) -> Result<syn::File, PackError> {
    let mut file = syn::File { shebang: None, attrs: Vec::new(), items: Vec::new() };
    let mut problems = std::mem::take(&mut program.obstacles);
    for krate in &program.crates {
        let mut loader = Loader::new(krate, Some(&krate.name), unit);
        let loaded = loader.file(&krate.root, &krate.root, None);
        problems.append(loader.problems.get_mut());
        let (attributes, items) = loaded.unwrap_or_else(|problem| {
            problems.push(problem);
            Default::default()
        });
        file.attrs.extend(global(attributes));
        let header = header(krate, &krate.root);
        let name = syn::Ident::new(&krate.name, proc_macro2::Span::call_site());
        file.items.push(parse_quote! { #[doc = #header] mod #name { #(#items)* } });
    }
    if let Some(binary) = &program.binary {
        let mut loader = Loader::new(binary, None, unit);
        let loaded = loader.file(&binary.root, &binary.root, None);
        problems.append(loader.problems.get_mut());
        let (attributes, mut items) = loaded.unwrap_or_else(|problem| {
            problems.push(problem);
            Default::default()
        });
        file.attrs.extend(global(attributes));
        for item in &items {
            let Item::Mod(module) = item else { continue };
            if let Some(krate) = program.crates.iter().find(|krate| module.ident == krate.name) {
                let reason =
                    format!("the module has the name of the crate {}; rename one of them", krate.package);
                problems.push(PackError::at(&binary.root, module.ident.span(), reason));
            }
        }
        let crates: Vec<&str> = program.crates.iter().map(|krate| &krate.name[..]).collect();
        items.retain_mut(|item| match item {
            Item::Use(item) => drop_own_names(&mut item.tree, None, &crates),
            _ => true,
        });
        file.items.extend(items);
    }
    PackError::all(problems)?;
    Ok(file)
}

/// Removes from an import at the root every import of a crate's name as itself, because the module with this name is
/// already there. Returns whether anything is left.
fn drop_own_names(tree: &mut UseTree, parent: Option<&syn::Ident>, crates: &[&str]) -> bool {
    let is_crate = |name: &syn::Ident| crates.iter().any(|krate| name == krate);
    match tree {
        UseTree::Path(path) => match (parent, path.ident == "crate") {
            (None, true) => drop_own_names(&mut path.tree, Some(&path.ident), crates),
            (Some(before), _) if before == "crate" && is_crate(&path.ident) => {
                drop_own_names(&mut path.tree, Some(&path.ident), crates)
            }
            _ => true,
        },
        UseTree::Name(name) => {
            let is_self = name.ident == "self" && parent.is_some_and(is_crate);
            let is_module = parent.is_some_and(|parent| parent == "crate") && is_crate(&name.ident);
            !is_self && !is_module
        }
        UseTree::Rename(rename) => {
            let named = if rename.ident == "self" { parent } else { Some(&rename.ident) };
            !(named.is_some_and(is_crate) && named == Some(&rename.rename))
        }
        UseTree::Group(group) => {
            let trees = std::mem::take(&mut group.items);
            group.items = trees
                .into_pairs()
                .filter_map(|mut pair| drop_own_names(pair.value_mut(), parent, crates).then_some(pair))
                .collect();
            !group.items.is_empty()
        }
        UseTree::Glob(_) => true,
    }
}

/// Returns the attributes of a crate that apply to the whole file.
fn global(attributes: Vec<Attribute>) -> impl Iterator<Item = Attribute> {
    attributes.into_iter().filter(|attribute| {
        attribute.path().is_ident("recursion_limit") || attribute.path().is_ident("allow")
    })
}

fn header(krate: &Crate, file: &Path) -> String {
    let place = file.strip_prefix(&krate.folder).unwrap_or(file);
    format!(" {}, {}", krate.package, place.display())
}

/// Reads the files of one crate.
struct Loader<'a> {
    krate: &'a Crate,
    module: Option<&'a str>,
    unit: Unit,
    /// Macros that the crate exports, in source order.
    exported: Vec<syn::Ident>,
    /// Files that are currently being read, to detect cycles.
    open: Vec<PathBuf>,
    /// Obstacles to packing, which do not stop the reading.
    problems: RefCell<Vec<PackError>>,
}

impl<'a> Loader<'a> {
    fn new(krate: &'a Crate, module: Option<&'a str>, unit: Unit) -> Loader<'a> {
        Loader { krate, module, unit, exported: Vec::new(), open: Vec::new(), problems: RefCell::default() }
    }

    fn rewriter<'f>(&'f self, file: &'f Path) -> Rewriter<'f> {
        Rewriter {
            krate: self.krate,
            module: self.module,
            file,
            depth: 0,
            unit: self.unit,
            problems: &self.problems,
        }
    }

    /// Returns the attributes and items of one source file. The files of its child modules are found relative to
    /// `base`.
    fn file(
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
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        // A first line `#!/...` is not an attribute.
        let text = match text.strip_prefix("#!") {
            Some(rest) if !rest.trim_start().starts_with('[') => {
                &rest[rest.find('\n').unwrap_or(rest.len())..]
            }
            _ => text,
        };
        let of_syn = |error: &syn::Error| PackError::at(path, error.span(), error.to_string());
        let tokens: proc_macro2::TokenStream = text
            .parse()
            .map_err(|error: proc_macro2::LexError| PackError::at(path, error.span(), "invalid Rust"))?;
        if let Some(span) = source::too_deep(&tokens) {
            let reason = format!(
                "more than {} nested brackets, or more than {} tokens without a `,` or `;` between them",
                source::MAX_DEPTH,
                source::MAX_LENGTH
            );
            return Err(PackError::at(path, span, reason));
        }
        let rewriter = self.rewriter(path);
        let file: syn::File = syn::parse2(rewriter.rewrite(tokens)?).map_err(|error| of_syn(&error))?;
        let mut attributes = file.attrs;
        let conditions = Cfg { features: &self.krate.features };
        if !conditions.reduce(&mut attributes).map_err(|error| of_syn(&error))? {
            self.open.pop();
            return Ok((attributes, Vec::new()));
        }
        if let Some(feature) = attributes.iter().find(|attribute| attribute.path().is_ident("feature")) {
            let span = feature.path().segments[0].ident.span();
            let reason = "`#![feature]` needs a nightly compiler, and judges have stable ones";
            self.problems.get_mut().push(PackError::at(path, span, reason));
        }
        let mut items = file.items;
        let mut cleaner = Cleaner { conditions: &conditions, file: path, problems: Vec::new() };
        cleaner.items(&mut items);
        self.problems.get_mut().append(&mut cleaner.problems);
        let folder = child_folder(base);
        let items = self.items(items, path, &folder)?;
        self.open.pop();
        Ok((attributes, items))
    }

    /// Loads the modules among the items, and replaces the names of crates with paths of modules.
    fn items(&mut self, items: Vec<Item>, file: &Path, folder: &Path) -> Result<Vec<Item>, PackError> {
        let mut done = Vec::with_capacity(items.len());
        for item in items {
            match item {
                Item::Mod(module) => {
                    let known = self.exported.len();
                    let module = match self.module(module, file, folder) {
                        Ok(module) => module,
                        Err(problem) => {
                            self.problems.get_mut().push(problem);
                            continue;
                        }
                    };
                    let name = module.ident.clone();
                    done.push(Item::Mod(module));
                    // An exported macro belongs to the root of its crate, however deep its definition is.
                    let exported = &self.exported[known..];
                    done.extend(
                        exported.iter().map(|of| -> Item { parse_quote!(pub(crate) use #name::#of;) }),
                    );
                }
                Item::ExternCrate(krate) => done.extend(self.extern_crate(&krate, file)?),
                Item::Use(mut item) => {
                    self.use_names(&mut item.tree);
                    if matches!(item.vis, syn::Visibility::Public(_)) {
                        // With this visibility, the compiler reports unused re-exports.
                        item.vis = parse_quote!(pub(crate));
                    }
                    done.push(Item::Use(item));
                }
                Item::Macro(item) if item.mac.path.is_ident("include") => {
                    let rewriter = self.rewriter(file);
                    let span = item.mac.path.segments[0].ident.span();
                    let path = rewriter
                        .text(item.mac.tokens.clone())
                        .ok_or_else(|| PackError::at(file, span, "`include!` needs a string literal"))?;
                    let path = file.parent().unwrap_or(Path::new("")).join(path);
                    let (_, included) = self.file(&path, file, Some((file, span)))?;
                    done.extend(included);
                }
                Item::Macro(mut item) => {
                    let attributes = item.attrs.len();
                    item.attrs.retain(|attribute| !attribute.path().is_ident("macro_export"));
                    let is_exported = item.attrs.len() < attributes;
                    let name = item.ident.clone();
                    done.push(Item::Macro(item));
                    if let (Some(name), true) = (name, is_exported) {
                        done.push(parse_quote!(pub(crate) use #name;));
                        self.exported.push(name);
                    }
                }
                other => done.push(other),
            }
        }
        Ok(done)
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
            // A `path` attribute is relative to the folder of its file, and child modules are next to the given file.
            Some(given) => {
                let path = file.parent().unwrap_or(Path::new("")).join(&given);
                let base = path.with_file_name("mod.rs");
                (path, base)
            }
            None => {
                let flat = folder.join(format!("{name}.rs"));
                let nested = folder.join(name).join("mod.rs");
                match (flat.is_file(), nested.is_file()) {
                    (true, false) => (flat.clone(), flat),
                    (false, true) => (nested.clone(), nested),
                    (true, true) => {
                        let reason = format!(
                            "module `{name}` has two files: {} and {}",
                            flat.display(),
                            nested.display()
                        );
                        return Err(PackError::at(file, module.ident.span(), reason));
                    }
                    (false, false) => {
                        let reason = format!(
                            "module `{name}` has no file: neither {} nor {}",
                            flat.display(),
                            nested.display()
                        );
                        return Err(PackError::at(file, module.ident.span(), reason));
                    }
                }
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

    fn extern_crate(&self, item: &syn::ItemExternCrate, file: &Path) -> Result<Option<Item>, PackError> {
        let Some(library) = self.library(&item.ident) else { return Ok(None) };
        if let Some(attribute) = item.attrs.iter().find(|attribute| attribute.path().is_ident("macro_use")) {
            let span = attribute.path().segments[0].ident.span();
            let reason = format!(
                "`#[macro_use] extern crate {library}` cannot be packed; import the macros: `use {library}::...;`"
            );
            return Err(PackError::at(file, span, reason));
        }
        let (visibility, library) = (&item.vis, syn::Ident::new(library, item.ident.span()));
        Ok(match &item.rename {
            Some((_, name)) if name == "_" => None,
            Some((_, name)) => Some(parse_quote!(#visibility use crate::#library as #name;)),
            None if item.ident == library => Some(parse_quote!(#visibility use crate::#library;)),
            None => {
                let name = &item.ident;
                Some(parse_quote!(#visibility use crate::#library as #name;))
            }
        })
    }

    fn library(&self, name: &syn::Ident) -> Option<&str> {
        let found = self.krate.dependencies.iter().find(|(known, _)| name == known);
        found.map(|(_, library)| &library[..])
    }

    /// Rewrites `use dependency;` and `use dependency as name;`, in which no path separator follows the crate's name.
    fn use_names(&self, tree: &mut UseTree) {
        match tree {
            UseTree::Name(name) => {
                if let Some(library) = self.library(&name.ident) {
                    let (library, own) = (syn::Ident::new(library, name.ident.span()), &name.ident);
                    *tree = parse_quote!(crate::#library as #own);
                }
            }
            UseTree::Rename(rename) => {
                if let Some(library) = self.library(&rename.ident) {
                    let (library, own) = (syn::Ident::new(library, rename.ident.span()), &rename.rename);
                    *tree = parse_quote!(crate::#library as #own);
                }
            }
            UseTree::Group(group) => group.items.iter_mut().for_each(|tree| self.use_names(tree)),
            UseTree::Path(_) | UseTree::Glob(_) => {}
        }
    }
}

/// Returns the folder with the child modules of a file.
fn child_folder(file: &Path) -> PathBuf {
    let folder = file.parent().unwrap_or(Path::new(""));
    let stem = file.file_stem().unwrap_or_default();
    if matches!(stem.to_str(), Some("mod" | "lib" | "main")) || is_bin(file) {
        folder.to_path_buf()
    } else {
        folder.join(stem)
    }
}

/// Returns whether the file is in a folder of binaries or examples, where it is the root of its own crate.
fn is_bin(file: &Path) -> bool {
    file.parent().and_then(Path::file_name).is_some_and(|folder| folder == "bin" || folder == "examples")
}

/// Decides conditions and removes everything that a submission does not need.
struct Cleaner<'a> {
    conditions: &'a Cfg<'a>,
    file: &'a Path,
    problems: Vec<PackError>,
}

impl Cleaner<'_> {
    fn items(&mut self, items: &mut Vec<Item>) {
        items.retain_mut(|item| match item_attributes(item) {
            Some(attributes) => self.keeps(attributes),
            None => true,
        });
        for item in items {
            self.visit_item_mut(item);
        }
    }

    fn keeps(&mut self, attributes: &mut Vec<Attribute>) -> bool {
        match self.conditions.reduce(attributes) {
            Ok(keeps) => {
                for attribute in attributes.iter() {
                    if attribute.path().is_ident("derive") {
                        self.check_derive(attribute);
                    }
                }
                keeps
            }
            Err(error) => {
                self.problems.push(PackError::at(self.file, error.span(), error.to_string()));
                true
            }
        }
    }

    fn check_derive(&mut self, attribute: &Attribute) {
        let checked = attribute.parse_nested_meta(|meta| {
            let name = meta.path.segments.last().map(|segment| segment.ident.to_string()).unwrap_or_default();
            if DERIVES.contains(&&name[..]) {
                return Ok(());
            }
            Err(meta.error(format!(
                "`derive({name})` is a procedural macro, whose output cannot be packed; write the impl out"
            )))
        });
        if let Err(error) = checked {
            self.problems.push(PackError::at(self.file, error.span(), error.to_string()));
        }
    }
}

macro_rules! keep_if {
    ($cleaner:ident, $list:expr) => {
        $list = std::mem::take(&mut $list)
            .into_pairs()
            .filter_map(|mut pair| $cleaner.keeps(&mut pair.value_mut().attrs).then_some(pair))
            .collect()
    };
}

impl VisitMut for Cleaner<'_> {
    fn visit_item_mod_mut(&mut self, module: &mut ItemMod) {
        if let Some((_, items)) = &mut module.content {
            self.items(items);
        }
    }

    fn visit_item_impl_mut(&mut self, item: &mut syn::ItemImpl) {
        item.items.retain_mut(|item| match item {
            syn::ImplItem::Const(item) => self.keeps(&mut item.attrs),
            syn::ImplItem::Fn(item) => self.keeps(&mut item.attrs),
            syn::ImplItem::Type(item) => self.keeps(&mut item.attrs),
            syn::ImplItem::Macro(item) => self.keeps(&mut item.attrs),
            _ => true,
        });
        visit_mut::visit_item_impl_mut(self, item);
    }

    fn visit_item_trait_mut(&mut self, item: &mut syn::ItemTrait) {
        item.items.retain_mut(|item| match item {
            syn::TraitItem::Const(item) => self.keeps(&mut item.attrs),
            syn::TraitItem::Fn(item) => self.keeps(&mut item.attrs),
            syn::TraitItem::Type(item) => self.keeps(&mut item.attrs),
            syn::TraitItem::Macro(item) => self.keeps(&mut item.attrs),
            _ => true,
        });
        visit_mut::visit_item_trait_mut(self, item);
    }

    fn visit_item_enum_mut(&mut self, item: &mut syn::ItemEnum) {
        keep_if!(self, item.variants);
        visit_mut::visit_item_enum_mut(self, item);
    }

    fn visit_fields_named_mut(&mut self, fields: &mut syn::FieldsNamed) {
        keep_if!(self, fields.named);
        visit_mut::visit_fields_named_mut(self, fields);
    }

    fn visit_fields_unnamed_mut(&mut self, fields: &mut syn::FieldsUnnamed) {
        keep_if!(self, fields.unnamed);
        visit_mut::visit_fields_unnamed_mut(self, fields);
    }

    fn visit_expr_struct_mut(&mut self, expression: &mut syn::ExprStruct) {
        keep_if!(self, expression.fields);
        visit_mut::visit_expr_struct_mut(self, expression);
    }

    fn visit_pat_struct_mut(&mut self, pattern: &mut syn::PatStruct) {
        keep_if!(self, pattern.fields);
        visit_mut::visit_pat_struct_mut(self, pattern);
    }

    fn visit_expr_match_mut(&mut self, expression: &mut syn::ExprMatch) {
        expression.arms.retain_mut(|arm| self.keeps(&mut arm.attrs));
        visit_mut::visit_expr_match_mut(self, expression);
    }

    fn visit_block_mut(&mut self, block: &mut syn::Block) {
        block.stmts.retain_mut(|statement| match statement {
            Stmt::Local(local) => self.keeps(&mut local.attrs),
            Stmt::Item(item) => item_attributes(item).is_none_or(|attributes| self.keeps(attributes)),
            Stmt::Macro(call) => self.keeps(&mut call.attrs),
            Stmt::Expr(expression, _) => {
                expression_attributes(expression).is_none_or(|attributes| self.keeps(attributes))
            }
        });
        visit_mut::visit_block_mut(self, block);
    }

    fn visit_expr_mut(&mut self, expression: &mut Expr) {
        visit_mut::visit_expr_mut(self, expression);
        let Expr::Macro(call) = expression else { return };
        if call.mac.path.is_ident("dbg") {
            if let Ok(inner) = call.mac.parse_body::<Expr>() {
                *expression = inner;
            }
        } else if call.mac.path.is_ident("cfg") {
            let Ok(condition) = call.mac.parse_body::<Meta>() else { return };
            if let Some(holds) = self.conditions.decide(&condition) {
                *expression = parse_quote!(#holds);
            }
        } else if call.mac.path.is_ident("include") {
            let span = call.mac.path.segments[0].ident.span();
            let reason = "`include!` of a file that contains neither an expression nor items";
            self.problems.push(PackError::at(self.file, span, reason));
        }
    }

    fn visit_attributes_mut(&mut self, attributes: &mut Vec<Attribute>) {
        // Items with a false condition are removed when their list is visited; here only hints and documentation are
        // removed.
        self.keeps(attributes);
    }
}

pub(crate) fn item_attributes(item: &mut Item) -> Option<&mut Vec<Attribute>> {
    Some(match item {
        Item::Const(item) => &mut item.attrs,
        Item::Enum(item) => &mut item.attrs,
        Item::ExternCrate(item) => &mut item.attrs,
        Item::Fn(item) => &mut item.attrs,
        Item::ForeignMod(item) => &mut item.attrs,
        Item::Impl(item) => &mut item.attrs,
        Item::Macro(item) => &mut item.attrs,
        Item::Mod(item) => &mut item.attrs,
        Item::Static(item) => &mut item.attrs,
        Item::Struct(item) => &mut item.attrs,
        Item::Trait(item) => &mut item.attrs,
        Item::TraitAlias(item) => &mut item.attrs,
        Item::Type(item) => &mut item.attrs,
        Item::Union(item) => &mut item.attrs,
        Item::Use(item) => &mut item.attrs,
        _ => return None,
    })
}

fn expression_attributes(expression: &mut Expr) -> Option<&mut Vec<Attribute>> {
    Some(match expression {
        Expr::Assign(expression) => &mut expression.attrs,
        Expr::Binary(expression) => &mut expression.attrs,
        Expr::Block(expression) => &mut expression.attrs,
        Expr::Call(expression) => &mut expression.attrs,
        Expr::ForLoop(expression) => &mut expression.attrs,
        Expr::If(expression) => &mut expression.attrs,
        Expr::Loop(expression) => &mut expression.attrs,
        Expr::Macro(expression) => &mut expression.attrs,
        Expr::Match(expression) => &mut expression.attrs,
        Expr::MethodCall(expression) => &mut expression.attrs,
        Expr::Return(expression) => &mut expression.attrs,
        Expr::Unsafe(expression) => &mut expression.attrs,
        Expr::While(expression) => &mut expression.attrs,
        _ => return None,
    })
}

/// Returns the file as formatted text.
#[must_use]
pub fn print(file: &syn::File) -> String {
    prettyplease::unparse(file)
}
