//! crafted
