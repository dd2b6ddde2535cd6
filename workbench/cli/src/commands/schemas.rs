//! The JSON Schemas in `docs/reference/schemas`, which are generated from the types that the commands print.

use super::analyse::AnalysisReport;
use super::bench::{Row, TurnRow};
use super::doctor::Finding;
use super::ghosts::GhostReport;
use super::pack::PackReport;
use super::review::ReviewReport;
use contender_arena::{ChallengeMatch, MatchReport, RotationReport, TournamentReport};
use contender_league::{Forecast, Standings};
use contender_referee::Facility;
use contender_referee::checker::CheckReport;
use contender_site::{Case, SiteReport};
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator};

fn of<T: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    generator.subschema_for::<T>()
}

/// The name and the title of each schema, and its type.
type Entry = (&'static str, &'static str, fn(&mut SchemaGenerator) -> Schema);

const SCHEMAS: [Entry; 18] = [
    ("analyse", "contender analyse --json", of::<AnalysisReport<'static>>),
    ("bench", "contender bench --json", of::<Vec<Row>>),
    ("bench-turns", "contender bench --turns N --json", of::<Vec<TurnRow>>),
    ("case", "A file of contender site case", of::<Case>),
    ("challenge", "contender challenge --json", of::<Vec<ChallengeMatch>>),
    ("check", "contender check --json", of::<CheckReport>),
    ("check-isolation", "contender check --isolation --json", of::<Vec<Facility>>),
    ("doctor", "contender doctor --json", of::<Vec<Finding>>),
    ("game", "A game in a log of contender match --log", contender_play::log::schema),
    ("ghosts", "contender match --ghosts LOG --json", of::<GhostReport>),
    ("league-forecast", "contender league forecast --json", of::<Forecast>),
    ("league-show", "contender league show --json", of::<Standings>),
    ("match", "contender match --json, two seats", of::<MatchReport>),
    ("match-rotation", "contender match --json, more than two seats", of::<RotationReport>),
    ("pack", "contender pack --json", of::<PackReport<'static>>),
    ("review", "contender review --json", of::<ReviewReport<'static>>),
    ("site-report", "contender site report --json", of::<SiteReport>),
    ("tournament", "contender tournament --json", of::<TournamentReport>),
];

fn schema((name, title, kind): &Entry) -> String {
    let settings = SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
    let mut generator = settings.for_serialize().into_generator();
    let mut schema = kind(&mut generator);
    schema.insert("$schema".to_string(), "https://json-schema.org/draft/2020-12/schema".into());
    schema.insert("$id".to_string(), format!("{name}.schema.json").into());
    schema.insert("title".to_string(), (*title).into());
    serde_json::to_string_pretty(&schema).unwrap() + "\n"
}

/// To write the files again, run `CONTENDER_WRITE_BOOK=1 cargo test -p contender-cli --lib`.
#[test]
fn schemas_are_as_the_types_are() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/schemas");
    for entry in &SCHEMAS {
        let path = folder.join(format!("{}.schema.json", entry.0));
        let made = schema(entry);
        if std::env::var_os("CONTENDER_WRITE_BOOK").is_some() {
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(&path, &made).unwrap();
        }
        let written = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(
            made == written,
            "{} is not as the type is; CONTENDER_WRITE_BOOK=1 writes it again",
            path.display()
        );
    }
    let files = std::fs::read_dir(&folder).unwrap().count();
    assert_eq!(files, SCHEMAS.len(), "files in {}", folder.display());
}
