//! What a mesh holds, counted.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::output::{count, decimal};
use crate::format::{LinkKind, NavSettings, Tile, TiledNavMesh};
use crate::query::{QueryFilter, islands};

/// Counts of a mesh.
pub(super) struct Summary {
    pub(super) fingerprint: String,
    pub(super) settings_digest: u64,
    pub(super) slots: usize,
    pub(super) tiles: usize,
    pub(super) polygons: usize,
    pub(super) vertices: usize,
    /// Stitched links, each way counted: over borders, and along off-mesh links.
    pub(super) portal_links: usize,
    pub(super) off_mesh_links: usize,
    /// Edges that have a neighbour inside their tile, each side counted.
    pub(super) neighbours: usize,
    /// Authored links that tiles own.
    pub(super) authored_links: usize,
    pub(super) islands: usize,
    /// Per level, square units as seen from above.
    pub(super) area: BTreeMap<i8, f64>,
    /// Least and greatest x, y, z of the vertices.
    pub(super) bounds: Option<[[f64; 3]; 2]>,
}

impl Summary {
    pub(super) fn of(mesh: &TiledNavMesh) -> Self {
        let mut summary = Self {
            fingerprint: mesh.params().fingerprint().to_string(),
            settings_digest: mesh.params().settings_digest,
            slots: mesh.slots().len(),
            tiles: 0,
            polygons: 0,
            vertices: 0,
            portal_links: 0,
            off_mesh_links: 0,
            neighbours: 0,
            authored_links: 0,
            islands: islands(mesh, &QueryFilter::default()).count(),
            area: BTreeMap::new(),
            bounds: None,
        };
        for (tile_ref, tile) in mesh.tiles() {
            summary.tiles += 1;
            summary.polygons += tile.polygons.len();
            summary.vertices += tile.vertices.len();
            summary.authored_links += tile.links.len();
            summary.neighbours += tile.edge_neighbours.iter().filter(|&&neighbour| neighbour != 0).count();
            let polygons = (0..).zip(&tile.polygons);
            for (number, polygon) in polygons {
                let links = mesh.links(tile_ref.polygon(number));
                let portals = links.iter().filter(|link| link.kind == LinkKind::Portal).count();
                summary.portal_links += portals;
                summary.off_mesh_links += links.len() - portals;
                *summary.area.entry(polygon.level()).or_default() += area_of(tile, number as usize);
            }
            for &vertex in &tile.vertices {
                let p = tile.point_in_world(mesh.params(), vertex);
                let [min, max] = summary.bounds.get_or_insert([p, p]);
                for axis in 0..3 {
                    min[axis] = min[axis].min(p[axis]);
                    max[axis] = max[axis].max(p[axis]);
                }
            }
        }
        summary
    }

    pub(super) fn links(&self) -> usize {
        self.portal_links + self.off_mesh_links
    }

    /// The stable keys, and a few more.
    pub(super) fn as_json(&self) -> Map<String, Value> {
        let area: Map<String, Value> =
            self.area.iter().map(|(level, area)| (level.to_string(), json!(area))).collect();
        let value = json!({
            "fingerprint": self.fingerprint,
            "settings_digest": digest_text(self.settings_digest),
            "slots": self.slots,
            "tiles": self.tiles,
            "polygons": self.polygons,
            "vertices": self.vertices,
            "links": self.links(),
            "portal_links": self.portal_links,
            "off_mesh_links": self.off_mesh_links,
            "neighbours": self.neighbours,
            "authored_links": self.authored_links,
            "islands": self.islands,
            "area": area,
            "bounds": self.bounds,
        });
        match value {
            Value::Object(map) => map,
            _ => Map::new(),
        }
    }

    /// One line: "4 tiles, 19 polygons, 40 links, 1 island".
    pub(super) fn line(&self) -> String {
        let parts = [
            count(self.tiles, "tile"),
            count(self.polygons, "polygon"),
            count(self.links() + self.neighbours, "link"),
            count(self.islands, "island"),
        ];
        parts.join(", ")
    }

    /// The lines that `bake` and `inspect` share.
    pub(super) fn lines(&self) -> String {
        let mut text = format!("fingerprint      {}\n", self.fingerprint);
        text += &format!("settings digest  {}\n", digest_text(self.settings_digest));
        text += &format!("tiles            {}\n", self.tiles);
        text += &format!(
            "polygons         {}, with {}\n",
            self.polygons,
            count(self.vertices, "vertex").replace("vertexs", "vertices")
        );
        text += &format!(
            "links            {} ({} inside tiles, {} over borders, {} off-mesh)\n",
            self.links() + self.neighbours,
            self.neighbours,
            self.portal_links,
            self.off_mesh_links
        );
        text += &format!("islands          {}\n", self.islands);
        for (level, area) in &self.area {
            text += &format!("level {level:<3}        {} square units\n", decimal(*area, 3));
        }
        if let Some([min, max]) = self.bounds {
            let [min, max] = [min, max].map(|p| p.map(|value| decimal(value, 3)).join(", "));
            text += &format!("from x, y, z     {min}\nto x, y, z       {max}\n");
        }
        text
    }
}

/// The fingerprint and digest that settings give, as text.
pub(super) fn identity(settings: &NavSettings) -> anyhow::Result<(String, String)> {
    let params = settings.to_params()?;
    Ok((params.fingerprint().to_string(), digest_text(params.settings_digest)))
}

/// 16 hexadecimal digits: JSON's numbers do not hold 64 bits everywhere.
pub(super) fn digest_text(digest: u64) -> String {
    format!("{digest:016x}")
}

fn area_of(tile: &Tile, polygon: usize) -> f64 {
    let vertices =
        tile.polygons[polygon].edges().map(|edge| tile.vertices[tile.edge_vertices[edge] as usize]);
    let points: Vec<[f64; 2]> = vertices.map(|v| [f64::from(v[0]), f64::from(v[2])]).collect();
    let next = points.iter().cycle().skip(1);
    // Local coordinates are exact; which way a polygon winds is the format's business.
    let twice: f64 = points.iter().zip(next).map(|(a, b)| a[0] * b[1] - a[1] * b[0]).sum();
    0.5 * twice.abs()
}
