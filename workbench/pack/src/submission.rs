//! A bundled bot of a game as a program of its own.
//!
//! A game's `contest.rs` has `choose_bot`, which matches on the name and has one arm for each bot, and `Contest::bot`, which puts the
//! chosen bot into its dialogue. The submission gets copies of both in which the name is known, so that only the chosen arm is
//! left and the other bots are never reached.

use crate::PackError;
use contender_game::{Contest, Limits};
use proc_macro2::Span;
use std::path::{Path, PathBuf};
use std::time::Duration;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, FnArg, Ident, ImplItem, Item, ItemFn, ItemMod, Pat, Visibility, parse_quote};

/// The folder of the game's crate in a Contender workspace.
///
/// # Errors
/// No crate in `games/` has a contest of that name.
pub fn game_folder(workspace: &Path, contest: &dyn Contest) -> Result<PathBuf, PackError> {
    let games = workspace.join("games");
    let entries = std::fs::read_dir(&games)
        .map_err(|error| PackError::general(format!("{}: {error}", games.display())))?;
    let wanted = format!("ContestInfo{{name:\"{}\"", contest.name());
    for entry in entries.flatten() {
        let text = std::fs::read_to_string(entry.path().join("src/contest.rs")).unwrap_or_default();
        let dense: String = text.split_whitespace().collect();
        // White space between words is gone on both sides.
        if dense.contains(&wanted) {
            return Ok(entry.path());
        }
    }
    Err(PackError::general(format!("no crate in {} has the contest `{}`", games.display(), contest.name())))
}

/// Adds a `main` to a bundle of the game's crates that plays one bot.
///
/// # Errors
/// A game that is not built in the way the module says.
pub fn add_main(
    file: &mut syn::File,
    game: &str,
    bot: &str,
    options: &str,
    limits: Limits,
) -> Result<(), PackError> {
    let module = file.items.iter_mut().find_map(|item| match item {
        Item::Mod(module) if module.ident == game => Some(module),
        _ => None,
    });
    let module = module.ok_or_else(|| PackError::general(format!("the bundle has no crate `{game}`")))?;
    let mut path = Vec::new();
    if !specialise(module, bot, &mut path)? {
        let reason = format!(
            "{game}: no module has `impl Contest` and a function `choose_bot` with an arm for `\"{bot}\"`"
        );
        return Err(PackError::general(reason));
    }
    let limit = |limit: Option<Duration>| -> Expr {
        match limit.map(|limit| limit.as_millis() as u64) {
            Some(millis) => {
                let millis = proc_macro2::Literal::u64_unsuffixed(millis);
                parse_quote!(Some(Duration::from_millis(#millis)))
            }
            None => parse_quote!(None),
        }
    };
    let (first, turn, whole) = (limit(limits.first_turn), limit(limits.turn), limit(limits.game));
    let options: Expr = match options {
        "" => parse_quote!(Options::default()),
        some => parse_quote!(Options::parse(#some).unwrap_or_default()),
    };
    let made: syn::File = parse_quote! {
        use crate::contender_game::{run_program, BotSetup, Limits, Options};
        use std::process::ExitCode;
        use std::time::Duration;

        fn main() -> ExitCode {
            let nodes = argument("--nodes");
            let limits = Limits { first_turn: #first, turn: #turn, game: #whole, nodes };
            let setup = BotSetup { limits, seed: argument("--seed").unwrap_or(1) };
            match crate::#(#path::)*submission(&mut #options, &setup) {
                Ok(mut bot) => run_program(bot.as_mut()),
                Err(error) => {
                    eprintln!("{error}");
                    ExitCode::from(2)
                }
            }
        }

        fn argument(name: &str) -> Option<u64> {
            std::env::args().skip_while(|word| word != name).nth(1)?.parse().ok()
        }
    };
    // The program comes first: it is what a reader looks for.
    file.items.splice(0..0, made.items);
    Ok(())
}

/// Adds `submission` to the module that has the contest; `path` becomes the way to it.
fn specialise(module: &mut ItemMod, bot: &str, path: &mut Vec<Ident>) -> Result<bool, PackError> {
    path.push(module.ident.clone());
    let Some((_, items)) = &mut module.content else { return Ok(false) };
    if let Some(made) = specialised(items, bot) {
        items.extend(made);
        return Ok(true);
    }
    for item in items {
        let Item::Mod(inner) = item else { continue };
        if specialise(inner, bot, path)? {
            if matches!(inner.vis, Visibility::Inherited) {
                inner.vis = parse_quote!(pub(crate));
            }
            return Ok(true);
        }
    }
    path.pop();
    Ok(false)
}

fn specialised(items: &[Item], bot: &str) -> Option<[Item; 2]> {
    let contest = items.iter().find_map(|item| match item {
        Item::Impl(item) => {
            let (_, of, _) = item.trait_.as_ref()?;
            (of.segments.last()?.ident == "Contest").then_some(item)
        }
        _ => None,
    })?;
    let method = contest.items.iter().find_map(|item| match item {
        ImplItem::Fn(item) if item.sig.ident == "bot" => Some(item),
        _ => None,
    })?;
    let mut choose = items.iter().find_map(|item| match item {
        Item::Fn(item) if item.sig.ident == "choose_bot" => Some(item.clone()),
        _ => None,
    })?;
    let mut submission = ItemFn {
        attrs: Vec::new(),
        vis: parse_quote!(pub(crate)),
        sig: method.sig.clone(),
        block: Box::new(method.block.clone()),
    };
    submission.sig.ident = Ident::new("submission", Span::call_site());
    submission.sig.inputs =
        submission.sig.inputs.into_iter().filter(|input| matches!(input, FnArg::Typed(_))).collect();
    choose.sig.ident = Ident::new("submitted_bot", Span::call_site());
    let mut known = KnownName { bot, arms: 0 };
    known.function(&mut choose);
    (known.arms > 0).then_some(())?;
    known.function(&mut submission);
    Some([Item::Fn(submission), Item::Fn(choose)])
}

/// Makes the parameter `name` of a function the bot's name.
struct KnownName<'a> {
    bot: &'a str,
    /// Matches that were decided.
    arms: usize,
}

impl KnownName<'_> {
    fn function(&mut self, function: &mut ItemFn) {
        let inputs = std::mem::take(&mut function.sig.inputs);
        function.sig.inputs = inputs.into_iter().filter(|input| !is_name_parameter(input)).collect();
        self.visit_block_mut(&mut function.block);
        drop_unused_closures(&mut function.block);
        if is_used(&function.block, "name") {
            let bot = self.bot;
            function.block.stmts.insert(0, parse_quote!(let name = #bot;));
        }
        for input in &mut function.sig.inputs {
            // What only other bots needed.
            let FnArg::Typed(input) = input else { continue };
            let Pat::Ident(pattern) = &mut *input.pat else { continue };
            let name = pattern.ident.to_string();
            if !name.starts_with('_') && !is_used(&function.block, &name) {
                pattern.ident = Ident::new(&format!("_{name}"), pattern.ident.span());
            }
        }
    }
}

impl VisitMut for KnownName<'_> {
    fn visit_expr_mut(&mut self, expression: &mut Expr) {
        if let Expr::Match(choice) = expression
            && is_name(&choice.expr)
            && let Some(arm) = choice.arms.iter().find(|arm| matches(&arm.pat, self.bot))
        {
            self.arms += 1;
            *expression = (*arm.body).clone();
        }
        if let Expr::Call(call) = expression
            && let Expr::Path(called) = &mut *call.func
            && called.path.is_ident("choose_bot")
        {
            called.path = parse_quote!(submitted_bot);
            call.args =
                std::mem::take(&mut call.args).into_iter().filter(|argument| !is_name(argument)).collect();
        }
        visit_mut::visit_expr_mut(self, expression);
    }
}

/// Drops closures that only the arms of other bots called; a closure that is not called does nothing.
fn drop_unused_closures(block: &mut syn::Block) {
    // From the last to the first, since one may call those before it.
    for at in (0..block.stmts.len()).rev() {
        let syn::Stmt::Local(local) = &block.stmts[at] else { continue };
        let (Pat::Ident(pattern), Some(init)) = (&local.pat, &local.init) else { continue };
        if !matches!(&*init.expr, Expr::Closure(_)) {
            continue;
        }
        let name = pattern.ident.to_string();
        let statement = block.stmts.remove(at);
        if is_used(block, &name) {
            block.stmts.insert(at, statement);
        }
    }
}

fn matches(pattern: &Pat, bot: &str) -> bool {
    match pattern {
        Pat::Lit(literal) => matches!(&literal.lit, syn::Lit::Str(text) if text.value() == bot),
        Pat::Or(either) => either.cases.iter().any(|pattern| matches(pattern, bot)),
        Pat::Paren(inner) => matches(&inner.pat, bot),
        Pat::Ident(bound) => bound.subpat.as_ref().is_some_and(|(_, pattern)| matches(pattern, bot)),
        _ => false,
    }
}

fn is_name(expression: &Expr) -> bool {
    matches!(expression, Expr::Path(path) if path.path.is_ident("name"))
}

fn is_name_parameter(input: &FnArg) -> bool {
    matches!(input, FnArg::Typed(input) if matches!(&*input.pat, Pat::Ident(name) if name.ident == "name"))
}

fn is_used(block: &syn::Block, name: &str) -> bool {
    let mut uses = Uses { name, found: false };
    uses.visit_block(block);
    uses.found
}

/// Whether a name occurs.
struct Uses<'n> {
    name: &'n str,
    found: bool,
}

impl<'a> Visit<'a> for Uses<'_> {
    fn visit_ident(&mut self, ident: &'a Ident) {
        self.found |= ident == self.name;
        visit::visit_ident(self, ident);
    }

    fn visit_macro(&mut self, call: &'a syn::Macro) {
        let tokens = call.tokens.to_string();
        self.found |= tokens
            .split(|letter: char| !letter.is_alphanumeric() && letter != '_')
            .any(|word| word == self.name);
    }
}
