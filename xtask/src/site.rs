//! `cargo xtask site`: builds the documentation site with the viewer, and fails on dead links and on barriers that axe finds.

use std::process::ExitCode;

use crate::arguments::Arguments;
use crate::build;
use crate::command::command;
use crate::error::Result;
use crate::process::run;
use crate::project::Project;
use crate::setup::{chromium, node};

pub fn site(project: &Project, _: &Arguments) -> Result<ExitCode> {
    build::viewer(project)?;
    let docs = node::documentation(project)?;
    let mut npm = command("npm", ["--prefix".as_ref(), docs.as_os_str(), "run".as_ref(), "build".as_ref()]);
    run(project, &mut npm)?;
    run(project, node::node(project, "docs/axe.mjs").arg(chromium::chromium(project)?))?;
    println!("{}", docs.join("dist/index.html").display());
    Ok(ExitCode::SUCCESS)
}
