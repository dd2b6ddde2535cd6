//! `contender web`: the local web app.

use crate::signals::end_flag;
use anyhow::Context;
use clap::Args as ClapArgs;
use contender_web::Server;
use std::io::Write;
use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;
use std::process::ExitCode;

/// `contender web`
#[derive(ClapArgs)]
#[command(
    after_help = "The printed address contains a token. Open the address once; the browser then keeps the \
        token in a cookie. Without the token, the pages are read-only, or inaccessible if --listen is not \
        127.0.0.1."
)]
pub struct WebArgs {
    /// Folder with games, leagues and training runs; bots run in this folder
    #[arg(default_value = ".")]
    pub folder: PathBuf,
    /// Port to listen on; 0 selects a free port
    #[arg(long, default_value_t = 7557)]
    pub port: u16,
    /// Address to listen on, such as `0.0.0.0`; other machines then need the token to view the pages
    #[arg(long, value_name = "ADDR", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    pub listen: IpAddr,
    /// Additional host name for a tunnel or proxy, such as `localhost:9000`; repeatable
    #[arg(long = "name", value_name = "HOST:PORT")]
    pub names: Vec<String>,
    /// NATS server whose workers are also shown: `nats://HOST:4222`
    #[arg(long, value_name = "URL")]
    pub on: Option<String>,
}

pub fn run(args: &WebArgs) -> anyhow::Result<ExitCode> {
    let program = std::env::current_exe().context("cannot determine the path of this program")?;
    let server = Server::bind(args.listen, args.port, &args.folder, program)?.with_names(&args.names);
    let server = match &args.on {
        Some(url) => with_cluster(server, url)?,
        None => server,
    };
    let stop = end_flag()?;
    writeln!(std::io::stdout(), "Open {} in a browser. Ctrl-C stops the server.", server.url())?;
    server.run(&stop)?;
    Ok(ExitCode::SUCCESS)
}

#[cfg(feature = "cluster")]
fn with_cluster(server: Server, url: &str) -> anyhow::Result<Server> {
    Ok(server.with_cluster(url.to_string()))
}

#[cfg(not(feature = "cluster"))]
fn with_cluster(_: Server, _: &str) -> anyhow::Result<Server> {
    Err(crate::remote::not_built_in())
}
