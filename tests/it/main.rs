//! Tests of the whole package, one binary; a module per room.

mod query;
