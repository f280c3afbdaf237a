//! TODO front page.
