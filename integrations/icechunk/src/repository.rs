//! The repository.

use crate::references::{Entry, References, folder, inline, url};
use bytes::Bytes;
use icechunk::config::{HttpConfig, S3Options};
use icechunk::format::format_constants::SpecVersionBin;
use icechunk::format::manifest::{Checksum, SecondsSinceEpoch, VirtualChunkLocation, VirtualChunkRef};
use icechunk::virtual_chunks::VirtualChunkContainer;
use icechunk::{ObjectStoreConfig, Repository, RepositoryConfig, Store, new_local_filesystem_storage};
use std::collections::BTreeSet;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio::sync::RwLock;
use url::Url;

/// Writes a repository with one commit.
pub(crate) async fn write(dir: &Path, references: &References) -> Result<(), Box<dyn Error>> {
    let mut config = RepositoryConfig::default();
    for container in containers(references)? {
        config.set_virtual_chunk_container(container)?;
    }
    let storage = new_local_filesystem_storage(dir).await?;
    // All releases read the first version.
    let create = Repository::create(storage).config(config).spec_version(SpecVersionBin::V1);
    let session = Arc::new(RwLock::new(create.execute().await?.writable_session("main").await?));
    let store = Store::from_session(Arc::clone(&session)).await;
    // An array comes before its chunks, and a group before its arrays.
    let mut keys: Vec<_> = references.refs.iter().collect();
    keys.sort_by_key(|(key, _)| (!key.ends_with("zarr.json"), key.matches('/').count()));
    for (key, entry) in keys {
        let of_key = |error: String| format!("{key}: {error}");
        match entry {
            Entry::Inline(text) => {
                store
                    .set(key, Bytes::from(inline(text).map_err(of_key)?))
                    .await
                    .map_err(|error| of_key(error.to_string()))?;
            }
            Entry::Range(place, offset, length) => {
                let location = VirtualChunkLocation::from_url(&url(place)?)
                    .map_err(|error| of_key(error.to_string()))?;
                let checksum = references
                    .modified
                    .get(place)
                    .map(|&time| Checksum::LastModified(SecondsSinceEpoch(time)));
                let reference = VirtualChunkRef { location, offset: *offset, length: *length, checksum };
                // There is a container for each.
                store
                    .set_virtual_ref(key, reference, false)
                    .await
                    .map_err(|error| of_key(error.to_string()))?;
            }
        }
    }
    session.write().await.commit("References by b2nd").execute().await?;
    Ok(())
}

/// One for each folder with files: readers authorize them by their URLs.
fn containers(references: &References) -> Result<Vec<VirtualChunkContainer>, String> {
    let mut folders = BTreeSet::new();
    for entry in references.refs.values() {
        if let Entry::Range(place, ..) = entry {
            // Readers compare their URLs with locations that are decoded.
            let decoded = urlencoding::decode(folder(&url(place)?))
                .map_err(|error| format!("{place}: {error}"))?
                .into_owned();
            folders.insert(decoded);
        }
    }
    folders.into_iter().map(container).collect()
}

fn container(folder: String) -> Result<VirtualChunkContainer, String> {
    let parsed = Url::parse(&folder).map_err(|error| format!("{folder}: {error}"))?;
    let store = match parsed.scheme() {
        "file" => {
            ObjectStoreConfig::LocalFileSystem(parsed.to_file_path().unwrap_or_else(|()| PathBuf::from("/")))
        }
        "http" | "https" => ObjectStoreConfig::Http(HttpConfig::default()),
        "s3" => ObjectStoreConfig::S3(S3Options::default()),
        _ => return Err(format!("{folder}: not a path or a URL of file, http, https or s3")),
    };
    VirtualChunkContainer::new(folder, store)
}
