//! Where things start and end that lead from one place to another. Links and checks keep both ends in the same fields; what
//! is done with them is written once, for both.

use super::{Link, PathCheck, Spot};

macro_rules! have_ends {
    ($($kind:ty),*) => {$(
        impl $kind {
            /// Where it starts.
            #[must_use]
            pub fn start_spot(&self) -> Spot {
                Spot { at: self.start, level: self.start_level, y: self.start_y }
            }

            /// Where it ends.
            #[must_use]
            pub fn end_spot(&self) -> Spot {
                Spot { at: self.end, level: self.end_level, y: self.end_y }
            }

            /// The same with another start.
            #[must_use]
            pub fn starting_at(self, spot: Spot) -> Self {
                Self { start: spot.at, start_level: spot.level, start_y: spot.y, ..self }
            }

            /// The same with another end.
            #[must_use]
            pub fn ending_at(self, spot: Spot) -> Self {
                Self { end: spot.at, end_level: spot.level, end_y: spot.y, ..self }
            }

            /// The same between other places.
            #[must_use]
            pub fn between(self, start: Spot, end: Spot) -> Self {
                self.starting_at(start).ending_at(end)
            }
        }
    )*};
}

have_ends!(Link, PathCheck);
