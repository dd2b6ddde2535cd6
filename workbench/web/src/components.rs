//! A page for contributors that shows all components of pages: `/components`. The tests take a picture of this page.

use crate::chart::{Chart, PlotLine, bar, sparkline};
use crate::colours::{COLOURS, mark};
use crate::page::{self, command};
use axum::response::Html;
use maud::{Markup, html};

pub async fn page() -> Html<String> {
    page::frame("", "Components", None, &content())
}

fn content() -> Markup {
    let curve = |look: usize| {
        let value = |at: f64| (at / 6.0 + look as f64).sin() * 20.0 + 5.0 * look as f64;
        let points = || (0..40).map(f64::from);
        PlotLine {
            name: format!("line {}", look + 1),
            look,
            points: points().map(|at| [at, value(at)]).collect(),
            band: points().map(|at| [at, value(at) - 6.0, value(at) + 6.0]).collect(),
            ..PlotLine::default()
        }
    };
    let lines: Vec<PlotLine> = (0..COLOURS).map(curve).collect();
    html! {
        h1 { "Components" }
        p.lead { "All components of the pages. Use these before you write new ones." }
        h2 { "Buttons" }
        p.controls {
            button.primary type="button" { "primary" } button type="button" { "button" } button.danger type="button" { "danger" }
            button type="button" disabled { "disabled" } button type="button" aria-pressed="true" { "pressed" }
            button.small type="button" { "small" } a.button href="/components" { "a link" }
        }
        h2 { "Chips" }
        p.chips {
            span.chip { "chip" } span.chip.good { "good" } span.chip.warn { "warn" } span.chip.bad { "bad" }
            span.chip.win { "W" } span.chip { "D" } span.chip.loss { "L" }
        }
        h2 { "Messages" }
        p.verdict { "verdict: the result of the page" }
        p.notice { "notice: what the reader should do next" }
        p.failure { "failure: what failed, and why" }
        p.legend { "legend: explanations for newcomers" }
        (command("match uttt champion bronze"))
        h2 { "Fields" }
        form.fields.card {
            p { label { span.label { "Text" } input type="text" placeholder="a hint"; } }
            p { label { span.label { "Number" } input type="number" value="100"; } }
            p { label { span.label { "Choice" } select { option { "first" } option { "second" } } } }
            p { label { input type="checkbox" checked; " a switch" } }
        }
        h2 { "Cards" }
        div.cards {
            div.card {
                h3 { a href="/components" { "card" } span.chip { "kind" } }
                (bar(0.6))
                p.legend { "60 of 100 games" }
            }
            div.card {
                h3 { "podium" }
                ol.podium { @for (at, value) in [120, 15, -80].into_iter().enumerate() { li {
                    (mark(at)) " "
                    span.name { "bot " (at + 1) }
                    (sparkline(&[1.0, 3.0, 2.0, 4.0, 3.5].map(|step| step * f64::from(value)), 0.0, at, "Strength"))
                    span.number { (format!("{value:+}")) }
                } } }
            }
        }
        h2 { "Tables" }
        div.wide { table.list {
            thead { tr { th.number { "Number" } th { "Name" } th.number { "Points" } th { "Failure" } } }
            tbody { @for number in 1..4 { tr {
                td.number { a href="/components" { (number) } } td { "greedy – random" } td.number { "1 – 0" } td.failure {}
            } } }
        } }
        h2 { "Charts" }
        div.charts {
            (Chart { title: "Lines", across: "games", up: "Elo", lines: &lines, levels: &[] }.draw())
            (Chart { title: "A line with its band and a level", across: "games", up: "Elo", lines: &lines[..1], levels: &[("even", 0.0)] }.draw())
            (Chart { title: "Without values", across: "games", up: "Elo", lines: &[], levels: &[] }.draw())
        }
    }
}
