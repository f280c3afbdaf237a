//! Map text: `nav walk LEVEL x z x z …`, one area a line; `#` starts a comment.
