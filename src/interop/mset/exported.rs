//! What was written, and what could not be.

use std::fmt;

/// A file, and what could not be carried over.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MsetExport {
    /// The file.
    pub bytes: Vec<u8>,
    /// Polygons of a level other than 0: Detour knows no levels.
    pub levels_left_out: usize,
    /// Polygons of more than six corners; each was cut.
    pub cut_polygons: usize,
    /// Polygons whose height detail is more than Detour can hold; they are flat between their corners.
    pub coarse_polygons: usize,
    /// Off-mesh links that end farther off than the tiles around their own, where Detour never looks.
    pub far_links: usize,
    /// Edges on a border that lead to more polygons than the four that Detour links.
    pub crowded_portals: usize,
    /// Polygons and off-mesh links without flags, which Detour's own filter never enters.
    pub without_flags: usize,
    /// Slots without a tile and generations beyond the first: Detour starts anew.
    pub generations_left_out: usize,
    /// How far a coordinate moved at most, since there they have 32 bits in the world.
    pub moved: f64,
}

impl fmt::Display for MsetExport {
    /// What was left out or changed, in words; nothing where all was taken as it stands.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            (self.levels_left_out, "polygon", "of a level other than 0: Detour knows no levels"),
            (self.cut_polygons, "polygon", "of more than six corners, cut"),
            (
                self.coarse_polygons,
                "polygon",
                "with more height detail than Detour holds, flat between its corners",
            ),
            (self.far_links, "off-mesh link", "to beyond the tiles around, which Detour never joins"),
            (
                self.crowded_portals,
                "border edge",
                "with more than four neighbours, of which Detour joins four",
            ),
            (self.without_flags, "polygon or link", "without flags, which Detour's own filter never enters"),
            (self.generations_left_out, "slot", "whose generation or freedom is left out"),
        ];
        let mut words: Vec<String> = parts
            .into_iter()
            .filter(|(count, ..)| *count > 0)
            .map(|(count, noun, what)| match (count, noun) {
                (1, _) => format!("1 {noun} {what}"),
                (_, "polygon or link") => format!("{count} polygons or links {what}"),
                _ => format!("{count} {noun}s {what}"),
            })
            .collect();
        if self.moved > 0.0 {
            let decimals = (1.0 - self.moved.log10()).ceil().clamp(0.0, 20.0) as usize;
            words.push(format!(
                "coordinates of the world have 32 bits there, which moved some by up to {:.decimals$}",
                self.moved
            ));
        }
        f.write_str(&words.join("; "))
    }
}
