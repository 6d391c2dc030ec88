//! Makes `b2nd.duckdb_extension` of the library that cargo has built beside this program: DuckDB loads what ends with a description.

use std::env::consts::{ARCH, DLL_PREFIX, DLL_SUFFIX, OS};
use std::error::Error;
use std::fs;

/// The version of DuckDB's interface in C that the extension needs.
const INTERFACE: &str = "v1.2.0";
const FIELD: usize = 32;
/// The room for a signature, which is left empty: DuckDB is told to load what is unsigned.
const SIGNATURE: usize = 256;

fn main() -> Result<(), Box<dyn Error>> {
    let program = std::env::current_exe()?;
    let folder = program.parent().ok_or("the program is in no folder")?;
    let mut extension = fs::read(folder.join(format!("{DLL_PREFIX}b2nd_duckdb{DLL_SUFFIX}")))?;
    extension.extend(description());
    let path = folder.join("b2nd.duckdb_extension");
    fs::write(&path, extension)?;
    println!("{}", path.display());
    Ok(())
}

/// The head of a custom section of WebAssembly, and in it eight fields, the last first, and the signature.
fn description() -> Vec<u8> {
    let mut end = vec![0, 0x93, 0x04, 16];
    end.extend(b"duckdb_signature");
    end.extend([0x80, 0x04]);
    let fields = ["", "", "", "C_STRUCT", env!("CARGO_PKG_VERSION"), INTERFACE, &platform(), "4"];
    for text in fields {
        let mut field = [0; FIELD];
        field[..text.len()].copy_from_slice(text.as_bytes());
        end.extend(field);
    }
    end.resize(end.len() + SIGNATURE, 0);
    end
}

/// The name that DuckDB has for this system.
fn platform() -> String {
    let system = if OS == "macos" { "osx" } else { OS };
    let processor = match ARCH {
        "x86_64" => "amd64",
        "aarch64" => "arm64",
        other => other,
    };
    format!("{system}_{processor}")
}
