//! Bytes: one file per magic, with its offset table on top.
