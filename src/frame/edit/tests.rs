//! Frames carried out in memory.

use super::*;
