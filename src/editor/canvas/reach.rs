//! The boxes around a document's areas, for whoever looks for something near a place in every frame. They depend on
//! nothing but the areas, so they are kept beside the thread until other areas are asked for.

use std::cell::RefCell;
use std::sync::Arc;

use crate::project::{Area, Document};

/// A list of areas by which it is known, and its boxes.
type Kept = (Arc<Vec<Arc<Area>>>, Arc<Vec<[[f64; 2]; 2]>>);

/// How many lists are kept: the document's, and that of what can be picked.
const LISTS: usize = 2;

thread_local! {
    static KEPT: RefCell<Vec<Kept>> = const { RefCell::new(Vec::new()) };
}

/// The areas of a level whose boxes are no farther from a place than `reach` along either axis, in their order.
pub(super) fn areas_near(
    document: &Document,
    level: i8,
    place: [f64; 2],
    reach: f64,
) -> impl DoubleEndedIterator<Item = &Arc<Area>> {
    let boxes = boxes(&document.areas);
    let near = move |[low, high]: [[f64; 2]; 2]| {
        (0..2).all(|axis| low[axis] - reach <= place[axis] && place[axis] <= high[axis] + reach)
    };
    let areas = document.areas.iter().enumerate();
    areas.filter(move |(index, area)| area.level == level && near(boxes[*index])).map(|(_, area)| area)
}

fn boxes(areas: &Arc<Vec<Arc<Area>>>) -> Arc<Vec<[[f64; 2]; 2]>> {
    KEPT.with_borrow_mut(|kept| {
        if let Some((_, boxes)) = kept.iter().find(|(of, _)| Arc::ptr_eq(of, areas)) {
            return Arc::clone(boxes);
        }
        if kept.len() == LISTS {
            kept.remove(0);
        }
        let boxes: Arc<Vec<_>> = Arc::new(areas.iter().map(|area| box_of(&area.points)).collect());
        kept.push((Arc::clone(areas), Arc::clone(&boxes)));
        boxes
    })
}

fn box_of(points: &[[f64; 2]]) -> [[f64; 2]; 2] {
    points.iter().fold([[f64::INFINITY; 2], [f64::NEG_INFINITY; 2]], |[low, high], point| {
        [[0, 1].map(|axis| low[axis].min(point[axis])), [0, 1].map(|axis| high[axis].max(point[axis]))]
    })
}
