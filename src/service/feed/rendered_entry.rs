//! An entry, rendered once for all viewers who see the same.

use std::sync::{Arc, Mutex, PoisonError};

use crate::{
    engine::Viewer,
    ledger::{entry::Body, game::Game},
    service::{
        ServiceError,
        feed::Watched,
        reading::{
            context::{ViewContext, ViewOptions},
            event_item::Outline,
        },
    },
    words::Status,
};

pub struct RenderedEntry {
    pub seq: u64,
    /// Whether the entry may have changed the seats of viewers.
    pub seating: bool,
    /// Status of the game, if this is the last entry.
    pub end: Option<Status>,
    /// The text for each seat, then for a spectator.
    texts: Vec<Arc<str>>,
    /// Data for rendering more on request.
    scene: Option<Scene>,
}

/// The game after the entry.
struct Scene {
    game: Game,
    outline: Outline,
    context: ViewContext,
    told: Mutex<Vec<(Viewer, ViewOptions, Arc<str>)>>,
}

impl RenderedEntry {
    /// Renders the effects of an entry, from the game right after it.
    pub fn new(
        at: u64,
        body: &Body,
        game: &Game,
        context: ViewContext,
        watched: Watched,
    ) -> Result<Self, ServiceError> {
        let outline = Outline::of(game, at, body);
        let write_out = |viewer| outline.fill(&context, game, viewer).text();
        let texts = Viewer::all(game.setting.seats).map(write_out).collect::<Result<_, _>>()?;
        let seating = matches!(body, Body::Join { .. } | Body::Leave { .. } | Body::Hand { .. });
        let end = outline.end;
        let scene = (watched == Watched::WithWishes).then(|| Scene {
            game: game.clone(),
            outline,
            context,
            told: Mutex::default(),
        });
        Ok(Self { seq: game.seq(), seating, end, texts, scene })
    }

    /// Returns the entry for a viewer, if it was rendered.
    pub fn text(&self, viewer: Viewer, wish: ViewOptions) -> Option<Arc<str>> {
        if wish == ViewOptions::default() {
            return match viewer {
                Viewer::Seat(seat) => self.texts.get(usize::from(seat.number())).cloned(),
                Viewer::Spectator => self.texts.last().cloned(),
            };
        }
        self.scene.as_ref()?.text(viewer, wish)
    }
}

impl Scene {
    fn text(&self, viewer: Viewer, wish: ViewOptions) -> Option<Arc<str>> {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((.., text)) = told.iter().find(|(other, same, _)| *other == viewer && *same == wish) {
            return Some(Arc::clone(text));
        }
        let text = self.outline.fill(&self.context.with(wish), &self.game, viewer).text().ok()?;
        told.push((viewer, wish, Arc::clone(&text)));
        Some(text)
    }
}
