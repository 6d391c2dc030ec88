//! Sinks of bytes, the editor that creates and changes frames in them, and a logger for [`flash`] memories.

#[cfg(all(feature = "store", feature = "write", target_has_atomic = "ptr"))]
mod archive;
#[cfg(all(feature = "std", feature = "write"))]
mod chunk_writer;
#[cfg(feature = "write")]
mod collect;
#[cfg(feature = "write")]
mod editor;
#[cfg(all(feature = "std", feature = "write"))]
mod file;
pub mod flash;
#[cfg(all(feature = "store", feature = "write", target_has_atomic = "ptr"))]
mod indexes;
#[cfg(all(feature = "store", feature = "write"))]
mod lists;
#[cfg(feature = "write")]
mod memory;
#[cfg(all(feature = "store", feature = "write"))]
mod objects;
#[cfg(all(feature = "std", feature = "store", feature = "write", target_has_atomic = "ptr"))]
mod store;
#[cfg(all(feature = "std", feature = "store", feature = "write", target_has_atomic = "ptr"))]
mod table;
#[cfg(feature = "write")]
mod write;

#[cfg(all(feature = "store", feature = "write", target_has_atomic = "ptr"))]
pub use self::archive::{
    ArchiveChange, ArchiveEditor, ArchiveOpening, ArchivePiece, ArchivePreparing, MemberPlace, crc32,
};
#[cfg(feature = "write")]
pub use self::{
    collect::{Collected, Collector},
    editor::{Change, Editor, Found, Prepared, Preparing, Supply},
    memory::Memory,
    write::WriteAt,
};
#[cfg(all(feature = "std", feature = "write"))]
pub use chunk_writer::{ChunkWriter, Finished, finish_chunks};
#[cfg(all(feature = "object_store", feature = "write"))]
pub use chunk_writer::{ObjectChunkWriter, finish_chunk_objects};
#[cfg(feature = "auto")]
pub use editor::Chosen;
#[cfg(all(feature = "std", feature = "write"))]
pub use file::{File, NewFile, create, edit, edit_with, remove_frame, remove_temporaries};
#[cfg(all(feature = "store", feature = "write"))]
pub use objects::{ObjectEditor, ObjectParams};
#[cfg(all(feature = "std", feature = "store", feature = "write", target_has_atomic = "ptr"))]
pub use store::StoreEditor;
#[cfg(all(feature = "std", feature = "store", feature = "write", target_has_atomic = "ptr"))]
pub use table::{NewColumns, TableEditor, TableParams, TableWriter};
