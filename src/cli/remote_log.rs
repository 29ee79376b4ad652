use std::{error::Error, fmt};

use playledger::{
    engine::hash::Bytes32,
    tree::{
        merkle::Tiles,
        tile::{Tile, TileRequest, read_entries, read_hashes},
        walk::Source,
    },
};
use serde_json::Value;
use ureq::{Agent, http::StatusCode};

use super::{bridge::SILENCE, client};

/// Largest answer.
const LARGEST: u64 = 16 << 20;

/// A server, for an auditor.
pub struct RemoteLog {
    url: String,
    token: Option<String>,
    agent: Agent,
}

/// The reason of a failed read.
#[derive(Debug)]
pub enum Unread {
    /// Absent: the code of the problem, and the seconds before a retry.
    Missing {
        path: String,
        code: String,
        retry_after: Option<u64>,
    },
    Other(String),
}

impl fmt::Display for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing { path, code, .. } => write!(f, "{path} is not there ({code})"),
            Self::Other(why) => f.write_str(why),
        }
    }
}

impl Error for Unread {}

impl RemoteLog {
    pub fn new(url: &str, token: Option<String>) -> Self {
        let agent = client::agent(|config| config.timeout_global(Some(SILENCE)));
        let url = url.trim_end_matches('/');
        let url = url.strip_suffix("/tlog").unwrap_or(url).to_owned();
        Self { url, token, agent }
    }

    pub fn checkpoint(&self) -> Result<String, Unread> {
        let bytes = self.get("/tlog/checkpoint")?;
        String::from_utf8(bytes).map_err(|_| Unread::Other("the checkpoint is no text".into()))
    }

    pub fn json(&self, path: &str) -> Result<Value, Unread> {
        let bytes = self.get(path)?;
        serde_json::from_slice(&bytes).map_err(|error| Unread::Other(format!("{path}: {error}")))
    }

    fn get(&self, path: &str) -> Result<Vec<u8>, Unread> {
        let other = |why: String| Unread::Other(format!("{}{path}: {why}", self.url));
        let mut request = self.agent.get(format!("{}{path}", self.url));
        if let Some(token) = &self.token {
            request = request.header("Authorization", format!("Bearer {token}"));
        }
        let mut answer = request.call().map_err(|error| other(error.to_string()))?;
        let bytes = answer.body_mut().with_config().limit(LARGEST).read_to_vec();
        let bytes = bytes.map_err(|error| other(error.to_string()))?;
        match answer.status() {
            StatusCode::OK => Ok(bytes),
            StatusCode::NOT_FOUND => {
                let problem: Value = serde_json::from_slice(&bytes).unwrap_or_default();
                let retry_after = answer.headers().get("retry-after").and_then(|value| value.to_str().ok());
                Err(Unread::Missing {
                    path: path.to_owned(),
                    code: problem["code"].as_str().unwrap_or("not_found").to_owned(),
                    retry_after: retry_after.and_then(|seconds| seconds.parse().ok()),
                })
            }
            status => Err(other(status.to_string())),
        }
    }

    fn served(&self, asked: TileRequest) -> Result<Vec<u8>, Unread> {
        self.get(&format!("/tlog/{}", asked.path()))
    }
}

fn broken(asked: TileRequest) -> Unread {
    Unread::Other(format!("/tlog/{} is no tile", asked.path()))
}

impl Tiles for RemoteLog {
    type Error = Unread;

    fn tile(&self, tile: Tile) -> Result<Vec<Bytes32>, Unread> {
        let asked = TileRequest::Hashes(tile);
        read_hashes(&self.served(asked)?).ok_or_else(|| broken(asked))
    }
}

impl Source for RemoteLog {
    fn leaves(&self, tile: Tile) -> Result<Vec<Bytes32>, Unread> {
        let asked = TileRequest::Entries(tile);
        read_entries(&self.served(asked)?).ok_or_else(|| broken(asked))
    }
}
