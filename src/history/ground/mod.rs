//! The legacy path.
