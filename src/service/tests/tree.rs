//! The public tree grows in steps. After a stop between any two it continues: no signature is contradicted,
//! and no leaf is lost or doubled.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
};

use futures_util::future::BoxFuture;
use serde_json::json;
use tempfile::TempDir;

use super::fixture::{Fixture, wait};
use crate::{
    engine::hash::Bytes32,
    service::{
        ports::{HttpAnswer, Witness},
        public_tree::growth,
        request::Request as _,
        tables::{Act, new_table::NewTable},
    },
    store::{HashRange, Unpinned},
    tree::{
        checkpoint::Checkpoint, merkle::Shape, note::WitnessKey, signer::Cosigner, witness::WitnessRequest,
    },
    words::Failure,
};

/// Where the server stops.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stop {
    /// A game has new entries, and the tree does not have them.
    Committed,
    /// The tree has some of the new entries.
    HalfGrown,
    /// The tree has grown, without a signature.
    Grown,
    /// A witness has signed the checkpoint, which is not stored yet.
    Witnessed,
    Published,
}

const STOPS: [Stop; 5] = [Stop::Committed, Stop::HalfGrown, Stop::Grown, Stop::Witnessed, Stop::Published];

/// A correct witness. It can copy the files on disk when it answers.
struct Watch {
    cosigner: Cosigner,
    key: WitnessKey,
    seen: Arc<Mutex<Option<Shape>>>,
    copy: Arc<Mutex<Option<(PathBuf, PathBuf)>>>,
}

impl Witness for Watch {
    fn key(&self) -> &WitnessKey {
        &self.key
    }

    fn ask(&self, offer: String) -> BoxFuture<'_, Result<HttpAnswer, Failure>> {
        let offer = WitnessRequest::read(&offer).unwrap();
        let mut seen = self.seen.lock().unwrap();
        let answer = match offer.judge(*seen) {
            Ok(()) => {
                *seen = Some(offer.checkpoint.shape);
                (200, self.cosigner.cosign(offer.checkpoint.text, 5))
            }
            Err(crate::tree::witness::WitnessRefusal::Conflict { size }) => (409, format!("{size}\n")),
            Err(refusal) => panic!("{refusal:?}: a checkpoint was contradicted"),
        };
        if let Some((from, to)) = self.copy.lock().unwrap().take() {
            copy(&from, &to);
        }
        Box::pin(async move {
            Ok(HttpAnswer { status: answer.0, retry_after: None, begins: answer.1.into_bytes() })
        })
    }
}

fn copy(from: &Path, to: &Path) {
    for name in ["games.db", "games.db-wal"] {
        let _ = fs::copy(from.join(name), to.join(name));
    }
}

/// Returns the files after a stop at this point.
async fn stopped(
    fixture: Fixture,
    stop: Stop,
    watch: impl Fn() -> Box<dyn Witness>,
    wish: &Mutex<Option<(PathBuf, PathBuf)>>,
) -> Fixture {
    let left: TempDir = tempfile::tempdir().unwrap();
    let (here, there) = (fixture.folder().to_owned(), left.path().to_owned());
    let service = &fixture.service;
    if stop == Stop::HalfGrown {
        let Unpinned { heads, .. } = service.base.store.unpinned().await.unwrap();
        let some = &heads[..heads.len() / 2];
        let tree = service.base.store.tree().await.unwrap().unwrap();
        let leaves = some.iter().map(|(_, leaf)| leaf.clone()).collect();
        let upto = [tree.upto, some.last().unwrap().0];
        growth::add(&service.base.store, tree.size, leaves, upto).await.unwrap();
    }
    if matches!(stop, Stop::Grown | Stop::Witnessed) {
        service.tree.grow_tree().await.unwrap();
    }
    if stop == Stop::Witnessed {
        *wish.lock().unwrap() = Some((here.clone(), there.clone()));
        service.tree.publish_tree().await.unwrap();
        assert!(wish.lock().unwrap().is_none(), "the witness was asked");
    } else {
        if stop == Stop::Published {
            service.tree.pin().await.unwrap();
        }
        copy(&here, &there);
    }
    drop(fixture);
    Fixture::on(left, vec![watch()]).await
}

async fn published(fixture: &Fixture) -> Shape {
    let note = fixture.service.tree.checkpoint().await.unwrap().unwrap();
    Checkpoint::read(&note).unwrap().shape
}

#[test]
fn wherever_it_stops_the_tree_goes_on_from_there() {
    for stop in STOPS {
        wait_for(stop);
    }
}

fn wait_for(stop: Stop) {
    let (seen, wish) = (Arc::new(Mutex::new(None)), Arc::new(Mutex::new(None)));
    let watch = || -> Box<dyn Witness> {
        let cosigner = Cosigner::new("watch", &[9; 32]).unwrap();
        let key = cosigner.verifier_key();
        Box::new(Watch { cosigner, key, seen: Arc::clone(&seen), copy: Arc::clone(&wish) })
    };
    wait(async {
        let mut fixture = Fixture::on(tempfile::tempdir().unwrap(), vec![watch()]).await;
        let mut games = 0;
        for round in 0..4 {
            let ada = fixture.player(&format!("Ada{round}")).await;
            for _ in 0..5 {
                let table = NewTable::read(&json!({"ruleset": "industrial-waste", "seats": 2})).unwrap();
                fixture.act(&ada, Act::Create(Box::new(table))).await;
                games += 1;
            }
            let before = *seen.lock().unwrap();
            fixture = stopped(fixture, stop, watch, &wish).await;
            fixture.service.tree.pin().await.unwrap();
            let now = published(&fixture).await;
            assert!(before.is_none_or(|before| before.size < now.size), "{stop:?}");
            assert_eq!(*seen.lock().unwrap(), Some(now), "{stop:?}: what is published was witnessed");
            assert_eq!(fixture.service.load().silent, 0);
        }
        let size = published(&fixture).await.size;
        let all = HashRange { level: 0, first: 0, count: size };
        let leaves = fixture.service.base.store.stretches(vec![all]).await.unwrap().concat();
        let distinct: BTreeSet<Bytes32> = leaves.iter().copied().collect();
        assert_eq!(distinct.len() as u64, size, "{stop:?}");
        // Each table has two leaves: its genesis, and the join of its host.
        assert_eq!(size, 2 * games, "{stop:?}");
    });
}
