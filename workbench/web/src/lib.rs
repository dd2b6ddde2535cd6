//! The local web app: recorded games turn by turn, and games against bots, in a browser.
//!
//! | file | contents |
//! |---|---|
//! | `server` | connections: their number, their time limits, the end of the server |
//! | `guard` | permissions: the token, the cookie, other sites; the headers of every answer |
//! | `project` | access to the project folder only |
//! | `files` | summaries of files with games |
//! | `failures` | games in which bots failed, counted in one way |
//! | `page` | the frame of all pages |
//! | `assets` | the scripts and styles of pages |
//! | `palette` | the search over pages, games, files and bots |
//! | `jobs` | `contender` commands that the server runs for its pages |
//! | `drawings` | drawing of pages, a few at a time and once for all waiting requests |
//! | `chart` | lines with bands, drawn by the server |
//! | `colours` | the colours of bots |
//! | `listed` | the list of games |
//! | `text` | numbers, times and addresses as text |
//! | `live` | pages that update themselves |
//! | `next_steps` | the buttons and commands for a new bot |
//! | `machine` | the free cores of this machine |
//! | `shown` | bots' results on pages |
//! | `viewer` | the viewer of a challenge, in a frame without origin and network |
//! | `home`, `log`, `replay`, `engine`, `play`, `league`, `matches` | one page each |
//! | `analyse`, `review`, `training`, `tunings` | one page each |
//!
//! # Permissions
//!
//! The server listens only on this machine by default. Anyone who can connect can read the project folder. To add files
//! or play, a request needs the token from the address that is printed at the start; the browser then keeps the token
//! in a cookie for this site. If the server listens on other addresses, reading also needs the token. Requests from
//! pages of other sites are refused, whichever host name they use for this machine. Names, moves and messages of bots
//! are shown as text only, and the content security policy allows only the server's own scripts. A challenge's own
//! viewer is shown in a frame without an origin, which has neither cookies nor network and reads only the viewer's own
//! folder.

#![forbid(unsafe_code)]

mod analyse;
mod assets;
mod battles;
mod chart;
mod colours;
mod components;
mod drawings;
mod drops;
mod engine;
mod failures;
mod files;
mod guard;
mod home;
mod jobs;
mod league;
mod limits;
mod line;
mod listed;
mod live;
mod log;
mod machine;
mod matches;
mod moves;
mod next_steps;
mod page;
mod pairs;
mod palette;
mod play;
mod project;
mod replay;
mod review;
mod rules;
mod server;
mod shown;
mod text;
mod traceback;
mod training;
mod tunings;
mod viewer;
#[cfg(feature = "cluster")]
mod workers;

use crate::drawings::Drawings;
use crate::drops::Drops;
use crate::files::Summaries;
use crate::guard::Guard;
use crate::jobs::Jobs;
use crate::live::{Painter, Watches};
use crate::play::Sessions;
use crate::project::Project;
use crate::replay::evaluation::Evaluations;
use crate::review::Reviews;
use crate::viewer::Viewers;
use anyhow::Context;
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware;
use axum::routing::{get, post};
use std::net::{IpAddr, SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use tokio::sync::Semaphore;

/// A server that is bound to its address but not yet running.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    app: Arc<App>,
}

/// Data that all pages share.
pub(crate) struct App {
    pub project: Project,
    pub guard: Guard,
    pub drops: Drops,
    pub jobs: Jobs,
    pub sessions: Sessions,
    pub drawings: Drawings,
    pub watches: Watches,
    pub painter: Painter,
    pub viewers: Viewers,
    pub summaries: Summaries,
    pub results: home::runs::Results,
    pub cards: league::cards::Cards,
    pub kept_leagues: league::data::KeptLeagues,
    pub matches: matches::MatchLogs,
    pub reviews: Reviews,
    pub evaluations: Evaluations,
    /// The NATS server whose workers are shown.
    pub cluster: Option<String>,
    /// Permits for bots that think about a position. A bot thinks only while it has a permit.
    pub thinkers: Arc<Semaphore>,
}

impl Server {
    /// Binds a server for a project folder to an address; port 0 selects a free port. `program` is the `contender`
    /// program, which plays the leagues and matches that users start on the pages.
    ///
    /// # Errors
    /// Returns an error if the folder cannot be read or the address is in use.
    pub fn bind(listen: IpAddr, port: u16, folder: &Path, program: PathBuf) -> anyhow::Result<Server> {
        let project = Project::open(folder)?;
        let listener = TcpListener::bind((listen, port)).with_context(|| {
            format!("cannot listen on {}; --port chooses another port", SocketAddr::new(listen, port))
        })?;
        let address = listener.local_addr()?;
        let app = App {
            project,
            guard: Guard::new(address)?,
            drops: Drops::default(),
            jobs: Jobs::of(program),
            sessions: Sessions::default(),
            drawings: Drawings::default(),
            watches: Watches::default(),
            painter: Painter::default(),
            viewers: Viewers::default(),
            summaries: Summaries::default(),
            results: home::runs::Results::default(),
            cards: league::cards::Cards::default(),
            kept_leagues: league::data::KeptLeagues::default(),
            matches: matches::MatchLogs::default(),
            reviews: Reviews::default(),
            evaluations: Evaluations::default(),
            cluster: None,
            thinkers: Arc::new(Semaphore::new(play::THINKERS)),
        };
        Ok(Server { listener, address, app: Arc::new(app) })
    }

    /// Also accepts requests for these host names, each in the form `HOST:PORT`, for example from a tunnel on another
    /// port.
    ///
    /// # Panics
    /// Never panics, because the server is not shared yet.
    #[must_use]
    pub fn with_names(mut self, names: &[String]) -> Server {
        Arc::get_mut(&mut self.app).expect("the server is not shared yet").guard.add_names(names);
        self
    }

    /// Also shows the workers that are connected to this NATS server.
    ///
    /// # Panics
    /// Never panics, because the server is not shared yet.
    #[cfg(feature = "cluster")]
    #[must_use]
    pub fn with_cluster(mut self, url: String) -> Server {
        Arc::get_mut(&mut self.app).expect("the server is not shared yet").cluster = Some(url);
        self
    }

    /// Returns the server's address.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns the address to open in a browser, with the token.
    #[must_use]
    pub fn url(&self) -> String {
        let host = if self.address.ip().is_unspecified() {
            format!("127.0.0.1:{}", self.address.port())
        } else {
            self.address.to_string()
        };
        format!("http://{host}/?token={}", self.app.guard.token())
    }

    /// Answers requests until `stop` is set, by another thread or a signal.
    ///
    /// # Errors
    /// Returns an error if the server cannot answer requests any more.
    pub fn run(self, stop: &AtomicBool) -> anyhow::Result<()> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let app = Arc::clone(&self.app);
        let served = runtime.block_on(server::serve(self.listener, router(self.app), stop));
        app.jobs.stop_all();
        runtime.shutdown_background();
        served?;
        Ok(())
    }
}

fn router(app: Arc<App>) -> Router {
    let drop = post(drops::add).layer(DefaultBodyLimit::max(drops::MAX_BYTES));
    let pages = Router::new()
        .route("/", get(home::page))
        .route("/log", get(log::page))
        .route("/replay", get(replay::page))
        .route("/board", get(replay::board))
        .route("/battles", get(battles::page))
        .route("/engine", get(engine::page))
        .route("/engine/log", get(engine::log))
        .route("/replay/turn", get(replay::exchange::turn))
        .route("/replay/input", get(replay::exchange::input))
        .route("/replay/record", get(replay::exchange::record))
        .route("/replay/picture", get(replay::exchange::picture))
        .route("/analyse", get(analyse::page))
        .route("/match", get(matches::page))
        .route("/matches", get(matches::list))
        .route("/matches/new", get(matches::form))
        .route("/training", get(training::page))
        .route("/tuning", get(tunings::page))
        .route("/league", get(league::page))
        .route("/leagues", get(league::list::page))
        .route("/leagues/new", get(league::new::page))
        .route("/league/games", get(league::games::page))
        .route("/league/bot", get(league::bot::page))
        .route("/palette", get(palette::entries))
        .route("/review", get(review::page))
        .route("/rules", get(rules::page))
        .route("/components", get(components::page))
        .route("/line", get(line::position))
        .route("/play", get(play::page))
        .route_layer(middleware::from_fn_with_state(Arc::clone(&app), drawings::share));
    #[cfg(feature = "cluster")]
    let pages = pages.merge(workers::routes());
    Router::new()
        .merge(pages)
        .merge(assets::routes())
        .route("/home/live", get(home::live))
        .route("/drop", drop)
        .route("/analyse/live", get(analyse::live))
        .route("/review/live", get(review::live))
        .route("/replay/evaluation", get(replay::evaluation::live))
        .route("/match/live", get(matches::live))
        .route("/matches/live", get(matches::list_live))
        .route("/matches/estimate", get(matches::estimate))
        .route("/match/start", post(matches::begin))
        .route("/match/stop", post(matches::stop))
        .route("/match/again", post(matches::again))
        .route("/training/live", get(training::live))
        .route("/tuning/live", get(tunings::live))
        .route("/viewer/{key}/{*path}", get(viewer::file))
        .route("/league/live", get(league::live))
        .route("/league/bot/live", get(league::bot::live))
        .route("/league/new", post(league::new::create))
        .merge(league::control::routes())
        .route("/play/start", post(play::start))
        .route("/play/move", post(play::go_on))
        .route("/play/hint", post(play::hint))
        .fallback(|| async { page::Problem::not_found("There is no such page.") })
        .layer(middleware::from_fn_with_state(Arc::clone(&app), guard::check))
        .with_state(app)
}
