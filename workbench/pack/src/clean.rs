//! Removes code that submissions do not need, and evaluates conditions.

use crate::PackError;
use crate::cfg::Cfg;
use crate::error::{Obstacle, Sign};
use std::path::Path;
use syn::visit_mut::{self, VisitMut};
use syn::{Attribute, Expr, FnArg, ForeignItem, GenericParam, Item, ItemMod, Meta, Stmt, parse_quote};

/// The standard library's derived traits. Any other derive is a procedural macro.
pub(crate) const DERIVES: [&str; 9] =
    ["Clone", "Copy", "Debug", "Default", "Eq", "Hash", "Ord", "PartialEq", "PartialOrd"];

/// A visitor that evaluates conditions and removes unneeded code everywhere.
pub(crate) struct Cleaner<'a> {
    pub conditions: &'a Cfg<'a>,
    pub file: &'a Path,
    pub problems: Vec<Obstacle>,
}

impl Cleaner<'_> {
    pub fn items(&mut self, items: &mut Vec<Item>) {
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
                    } else {
                        self.check_attribute(attribute);
                    }
                }
                keeps
            }
            Err(error) => {
                let problem = PackError::at(self.file, error.span(), error.to_string());
                self.problems.push(Obstacle::certain(problem));
                true
            }
        }
    }

    fn check_derive(&mut self, attribute: &Attribute) {
        let paths = attribute
            .parse_args_with(syn::punctuated::Punctuated::<syn::Path, syn::Token![,]>::parse_terminated);
        for path in paths.into_iter().flatten() {
            let Some(name) = path.segments.last().map(|segment| &segment.ident) else { continue };
            if !DERIVES.iter().any(|known| name == known) {
                let reason = format!(
                    "`derive({name})` is a procedural macro, which cannot be packed; write the \
                     implementation by hand"
                );
                self.suspect(name, reason, Sign::Derive(name.to_string()));
            }
        }
    }

    /// Records an attribute that may be a procedural macro.
    fn check_attribute(&mut self, attribute: &Attribute) {
        let Some(name) = attribute.path().segments.last().map(|segment| &segment.ident) else { return };
        let reason = format!(
            "`#[{name}]` is a procedural macro, which cannot be packed; write the generated code by hand"
        );
        self.suspect(name, reason, Sign::Attribute(name.to_string()));
    }

    fn suspect(&mut self, name: &syn::Ident, reason: String, sign: Sign) {
        let problem = PackError::at(self.file, name.span(), reason);
        self.problems.push(Obstacle { problem, sign });
    }
}

macro_rules! keep_if {
    ($cleaner:ident, $list:expr) => {
        keep_if!($cleaner, $list, |of| Some(&mut of.attrs))
    };
    ($cleaner:ident, $list:expr, |$of:ident| $attributes:expr) => {
        $list = std::mem::take(&mut $list)
            .into_pairs()
            .filter_map(|mut pair| {
                let $of = pair.value_mut();
                $attributes.is_none_or(|attributes| $cleaner.keeps(attributes)).then_some(pair)
            })
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

    fn visit_item_foreign_mod_mut(&mut self, item: &mut syn::ItemForeignMod) {
        item.items.retain_mut(|item| match item {
            ForeignItem::Fn(item) => self.keeps(&mut item.attrs),
            ForeignItem::Static(item) => self.keeps(&mut item.attrs),
            ForeignItem::Type(item) => self.keeps(&mut item.attrs),
            ForeignItem::Macro(item) => self.keeps(&mut item.attrs),
            _ => true,
        });
        visit_mut::visit_item_foreign_mod_mut(self, item);
    }

    fn visit_signature_mut(&mut self, signature: &mut syn::Signature) {
        keep_if!(self, signature.inputs, |input| match input {
            FnArg::Receiver(input) => Some(&mut input.attrs),
            FnArg::Typed(input) => Some(&mut input.attrs),
        });
        visit_mut::visit_signature_mut(self, signature);
    }

    fn visit_generics_mut(&mut self, generics: &mut syn::Generics) {
        keep_if!(self, generics.params, |parameter| match parameter {
            GenericParam::Lifetime(parameter) => Some(&mut parameter.attrs),
            GenericParam::Type(parameter) => Some(&mut parameter.attrs),
            GenericParam::Const(parameter) => Some(&mut parameter.attrs),
        });
        visit_mut::visit_generics_mut(self, generics);
    }

    fn visit_expr_call_mut(&mut self, call: &mut syn::ExprCall) {
        keep_if!(self, call.args, |argument| expression_attributes(argument));
        visit_mut::visit_expr_call_mut(self, call);
    }

    fn visit_expr_method_call_mut(&mut self, call: &mut syn::ExprMethodCall) {
        keep_if!(self, call.args, |argument| expression_attributes(argument));
        visit_mut::visit_expr_method_call_mut(self, call);
    }

    fn visit_expr_array_mut(&mut self, array: &mut syn::ExprArray) {
        keep_if!(self, array.elems, |element| expression_attributes(element));
        visit_mut::visit_expr_array_mut(self, array);
    }

    fn visit_expr_tuple_mut(&mut self, tuple: &mut syn::ExprTuple) {
        keep_if!(self, tuple.elems, |element| expression_attributes(element));
        visit_mut::visit_expr_tuple_mut(self, tuple);
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
            let reason = "the file in `include!` contains neither an expression nor items";
            self.problems.push(Obstacle::certain(PackError::at(self.file, span, reason)));
        }
    }

    fn visit_attributes_mut(&mut self, attributes: &mut Vec<Attribute>) {
        // Items under false conditions are removed when their lists are visited. Here, only hints and documentation are
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

macro_rules! attributes_of {
    ($expression:expr, $($kind:ident)*) => {
        match $expression {
            $(Expr::$kind(of) => Some(&mut of.attrs),)*
            _ => None,
        }
    };
}

fn expression_attributes(expression: &mut Expr) -> Option<&mut Vec<Attribute>> {
    attributes_of!(expression, Array Assign Async Await Binary Block Break Call Cast Closure Const Continue Field ForLoop
        Group If Index Infer Let Lit Loop Macro Match MethodCall Paren Path Range RawAddr Reference Repeat Return Struct
        Try TryBlock Tuple Unary Unsafe While Yield)
}
