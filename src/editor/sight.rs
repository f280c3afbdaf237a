//! What is exported to be looked at: a picture, and the mesh's polygons as map text.

use std::path::Path;
use std::sync::Arc;

use super::words::many;
use crate::bake::{AreaKind, Diagnostic, Severity, TriangleMesh};
use crate::draw::{Contents, MOST_RELIEF, Picture, Raster, Shape, Svg, Theme, mesh_shapes};
use crate::format::{NavMesh, TiledNavMesh};
use crate::interop::navwalk::{MapArea, MapLine, MapText};
use crate::project::{Document, write_whole};

/// How wide a picture is, in pixels.
const WIDTH: f32 = 1600.0;

/// What is seen.
#[derive(Clone, Debug)]
pub struct Sight {
    /// The drawing.
    pub document: Document,
    /// Its mesh.
    pub mesh: Arc<NavMesh>,
    /// The triangles that it was baked from; none of a flat bake.
    pub geometry: Vec<TriangleMesh>,
    /// What the bake found.
    pub issues: Vec<Diagnostic>,
    /// The title.
    pub name: String,
    /// Dark or light.
    pub theme: Theme,
}

impl Sight {
    /// Writes an SVG if the name ends so, else a PNG; what was written.
    ///
    /// # Errors
    /// A sentence with the file and the reason; a file that was there is then untouched.
    pub fn write_picture(&self, path: &Path) -> Result<String, String> {
        let ending = path.extension().unwrap_or_default().to_ascii_lowercase();
        let is_svg = match ending.to_str() {
            Some("svg") => true,
            Some("png") => false,
            _ => return Err(format!("{}: a picture ends in .png or .svg", path.display())),
        };
        let input = self.document.flat_input();
        let polygons: usize = self.mesh.mesh.tiles().map(|(_, tile)| tile.polygons.len()).sum();
        let issues: Vec<_> =
            self.issues.iter().filter(|issue| issue.kind.severity() != Severity::Note).cloned().collect();
        let contents = Contents {
            title: &self.name,
            subtitle: &format!("{}  ·  {}", many(input.areas.len(), "area"), many(polygons, "polygon")),
            input: Some(&input),
            geometry: &self.geometry,
            mesh: Some(&self.mesh.mesh),
            path: None,
            issues: &issues,
        };
        let picture = Picture::new(&contents, self.theme);
        let size = picture.natural_size(WIDTH);
        let bytes = if is_svg {
            let mut svg = Svg::new(size, self.theme.background());
            picture.paint(size, &mut svg);
            Some(svg.finish().into_bytes())
        } else {
            #[allow(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "a few thousand pixels"
            )]
            let raster = Raster::new(size[0] as u32, size[1] as u32, self.theme.background());
            raster.and_then(|mut raster| {
                picture.paint(size, &mut raster);
                raster.to_png()
            })
        };
        let bytes = bytes.ok_or_else(|| format!("{}: the picture is too large", path.display()))?;
        let number: usize = self.geometry.iter().map(|mesh| mesh.triangles.len()).sum();
        let written = write(path, &bytes, "Picture")?;
        Ok(if number > MOST_RELIEF {
            format!("{written} · without the geometry, whose {number} triangles are more than {MOST_RELIEF}")
        } else {
            written
        })
    }

    /// Writes each polygon as a `nav walk` line; what was written.
    ///
    /// # Errors
    /// A sentence with the file and the reason; a file that was there is then untouched.
    pub fn write_outlines(&self, path: &Path) -> Result<String, String> {
        write(path, outlines(&self.mesh.mesh).to_string().as_bytes(), "Outlines")
    }
}

/// The polygons of a mesh as map text, level by level.
#[must_use]
pub fn outlines(mesh: &TiledNavMesh) -> MapText {
    let mut lines = vec![MapLine::Text(format!("# polygons of {}", mesh.params().fingerprint()))];
    for (level, shapes) in mesh_shapes(mesh).fills {
        for shape in shapes {
            if let Shape::Convex { points, .. } = shape {
                lines.push(MapLine::Area(MapArea { kind: AreaKind::Walk, level, points }, None));
            }
        }
    }
    MapText { lines }
}

fn write(path: &Path, bytes: &[u8], what: &str) -> Result<String, String> {
    let fail = |error: std::io::Error| format!("{}: {error}", path.display());
    write_whole(path, bytes).map_err(fail)?;
    if std::fs::read(path).map_err(fail)? != bytes {
        return Err(format!("{}: reads back differently; do not use it", path.display()));
    }
    Ok(format!("{what} saved and read back, {} · {}", many(bytes.len(), "byte"), path.display()))
}
