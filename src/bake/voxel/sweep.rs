//! Regions by sweeping rows: each region meets every row in one run.

use super::compact::CompactField;
use super::poll::Poll;
use super::region::{BORDER, NO_REGION};
use super::soup::NO_LABEL;
use crate::bake::BakeError;

/// A run of floors of one row.
struct Run {
    /// The region of the row below that it alone may join; several, or none yet, as said there.
    below: Below,
    /// Floors of the run that touch that region.
    touches: u32,
    region: u32,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Below {
    Nothing,
    One(u32),
    Several,
}

/// Numbers the tile's floors in `of`, which knows the border's; answers the highest number.
///
/// # Errors
/// Those of `poll`.
pub(crate) fn sweep_regions(field: &CompactField, of: &mut [u32], poll: Poll<'_>) -> Result<u32, BakeError> {
    let mut count = 0;
    let mut runs: Vec<Run> = Vec::new();
    // Per region: floors of this row that touch it from above.
    let mut touched: Vec<u32> = vec![0];
    let mut to_clear: Vec<u32> = Vec::new();
    let mut run_of: Vec<u32> = vec![0; field.len() + 1];
    for z in field.border..field.depth - field.border {
        poll()?;
        runs.clear();
        to_clear.drain(..).for_each(|region| touched[region as usize] = 0);
        let cells = z * field.width + field.border..(z + 1) * field.width - field.border;
        let floors = field.first[cells.start] as usize..field.first[cells.end] as usize;
        for floor in floors.clone().filter(|&floor| field.label[floor] != NO_LABEL) {
            let [west, _, _, south] = field.links[floor].map(|link| link as usize);
            // A floor to the west lies in this row, before this one, unless it is another tile's.
            let joins = field.label[west] == field.label[floor] && of[west] != BORDER;
            let run = if joins { run_of[west] } else { runs.len() as u32 };
            run_of[floor] = run;
            if !joins {
                runs.push(Run { below: Below::Nothing, touches: 0, region: NO_REGION });
            }
            let region = of[south];
            if region != NO_REGION && region != BORDER && field.label[south] == field.label[floor] {
                let run = &mut runs[run as usize];
                if run.below == Below::Nothing {
                    run.below = Below::One(region);
                }
                if run.below == Below::One(region) {
                    run.touches += 1;
                    touched[region as usize] += 1;
                    to_clear.push(region);
                } else {
                    run.below = Below::Several;
                }
            }
        }
        for run in &mut runs {
            run.region = match run.below {
                Below::One(region) if touched[region as usize] == run.touches => region,
                _ => {
                    count += 1;
                    count
                }
            };
        }
        touched.resize(count as usize + 1, 0);
        for floor in floors.filter(|&floor| field.label[floor] != NO_LABEL) {
            of[floor] = runs[run_of[floor] as usize].region;
        }
    }
    Ok(count)
}
