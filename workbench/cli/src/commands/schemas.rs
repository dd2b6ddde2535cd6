//! The JSON Schemas in `docs/reference/schemas`, which are generated from the types of the commands' JSON output and of
//! the settings files.

use super::analyse::AnalysisReport;
use super::bench::{TurnRow, WorkloadRow};
use super::doctor::Finding;
use super::ghosts::GhostReport;
use super::pack::PackReport;
use super::review::ReviewReport;
use super::simulate::SprtReport;
use contender_arena::{ChallengeMatch, MatchReport, RotationReport, TournamentReport};
use contender_foreign::Installed;
use contender_league::{Forecast, LeagueSettings, Standings};
use contender_referee::Facility;
use contender_referee::checker::CheckReport;
use contender_site::{Case, SiteReport};
use schemars::generate::SchemaSettings;
use schemars::transform::{Transform, transform_subschemas};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::Value;

fn of<T: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    generator.subschema_for::<T>()
}

/// The name and title of a schema, and its type.
type Entry = (&'static str, &'static str, fn(&mut SchemaGenerator) -> Schema);

/// The schemas of the commands' outputs.
const OUTPUTS: &[Entry] = &[
    ("analyse", "contender analyse --json", of::<AnalysisReport<'static>>),
    ("bench", "contender bench --json", of::<Vec<WorkloadRow>>),
    ("bench-turns", "contender bench --turns N --json", of::<Vec<TurnRow>>),
    ("case", "A test case of contender site case", of::<Case>),
    ("challenge", "contender challenge --json", of::<Vec<ChallengeMatch>>),
    ("check", "contender check --json", of::<CheckReport>),
    ("check-isolation", "contender check --isolation --json", of::<Vec<Facility>>),
    #[cfg(feature = "cluster")]
    ("cluster-status", "contender cluster status --json", of::<contender_cluster::ClusterStatus>),
    ("doctor", "contender doctor --json", of::<Vec<Finding>>),
    ("game", "A game in a log of contender match --log", contender_play::log::schema),
    ("ghosts", "contender match --ghosts LOG --json", of::<GhostReport>),
    ("league-forecast", "contender league forecast --json", of::<Forecast>),
    ("league-show", "contender league show --json", of::<Standings>),
    ("match", "contender match --json, two seats", of::<MatchReport>),
    ("match-rotation", "contender match --json, more than two seats", of::<RotationReport>),
    ("pack", "contender pack --json", of::<PackReport<'static>>),
    ("review", "contender review --json", of::<ReviewReport<'static>>),
    ("simulate-sprt", "contender simulate sprt --json", of::<SprtReport>),
    ("site-report", "contender site report --json", of::<SiteReport>),
    ("tournament", "contender tournament --json", of::<TournamentReport>),
];

/// The schemas of settings files, for the JSON equivalent of their TOML.
const FILES: &[Entry] = &[
    ("league-toml", "league.toml", of::<LeagueSettings>),
    ("referee-toml", "referee.toml", of::<Installed>),
    ("train-toml", "train.toml", contender_learn::schema),
    ("tune-toml", "tune.toml", of::<contender_tune::Recipe>),
];

/// Replaces links in rustdoc descriptions by their texts.
fn without_links(schema: &mut Schema) {
    if let Some(Value::String(text)) = schema.get_mut("description") {
        let mut parts = text.split('[');
        let mut plain = parts.next().unwrap_or_default().to_string();
        for part in parts {
            match part.split_once(']') {
                Some((link, rest)) if link.starts_with('`') || rest.starts_with('(') => {
                    let after = rest.strip_prefix('(').and_then(|rest| rest.split_once(')'));
                    plain += link;
                    plain += after.map_or(rest, |(_, rest)| rest);
                }
                _ => plain = plain + "[" + part,
            }
        }
        *text = plain;
    }
    transform_subschemas(&mut without_links, schema);
}

fn schema((name, title, kind): &Entry, settings: SchemaSettings) -> String {
    let mut generator = settings.with(|settings| settings.inline_subschemas = true).into_generator();
    let mut schema = kind(&mut generator);
    without_links.transform(&mut schema);
    schema.insert("$schema".to_string(), "https://json-schema.org/draft/2020-12/schema".into());
    schema.insert("$id".to_string(), format!("{name}.schema.json").into());
    schema.insert("title".to_string(), (*title).into());
    serde_json::to_string_pretty(&schema).unwrap() + "\n"
}

/// To write the files again, run `CONTENDER_WRITE_BOOK=1 cargo test -p contender-cli --lib`.
#[test]
fn schemas_are_as_the_types_are() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/schemas");
    let outputs = OUTPUTS.iter().map(|entry| (entry, SchemaSettings::draft2020_12().for_serialize()));
    let files = FILES.iter().map(|entry| (entry, SchemaSettings::draft2020_12().for_deserialize()));
    for (entry, settings) in outputs.chain(files) {
        let path = folder.join(format!("{}.schema.json", entry.0));
        let made = schema(entry, settings);
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
    // Without the feature `cluster`, its schema is not generated.
    let left_out = usize::from(!cfg!(feature = "cluster"));
    assert_eq!(files, OUTPUTS.len() + FILES.len() + left_out, "files in {}", folder.display());
}
