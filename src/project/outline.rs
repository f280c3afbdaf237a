//! Points put into an outline and taken out of it, with their heights.

use super::Area;
use crate::bake::Surface;
use crate::geom::plane::distance;

impl Area {
    /// The area with a point more, after point `edge`; heights are taken along the edge.
    #[must_use]
    pub fn with_point(&self, edge: usize, place: [f64; 2]) -> Self {
        let mut changed = self.clone();
        let next = (edge + 1) % self.points.len();
        changed.points.insert(edge + 1, place);
        if let Surface::Heights(heights) = &mut changed.surface
            && edge < heights.len()
            && next < heights.len()
        {
            let (from, to) = (self.points[edge], self.points[next]);
            let length = distance(from, to);
            let part = if length > 0.0 { (distance(from, place) / length).clamp(0.0, 1.0) } else { 0.0 };
            let height = heights[edge] + part * (heights[next] - heights[edge]);
            heights.insert(edge + 1, height);
        }
        changed
    }

    /// The area without a point; `None` if it would have fewer than 3.
    #[must_use]
    pub fn without_point(&self, index: usize) -> Option<Self> {
        if self.points.len() <= 3 || index >= self.points.len() {
            return None;
        }
        let mut changed = self.clone();
        changed.points.remove(index);
        if let Surface::Heights(heights) = &mut changed.surface
            && index < heights.len()
        {
            heights.remove(index);
        }
        Some(changed)
    }
}
