use std::{
    error::Error,
    fs::{self, File},
    io::{self, Read, Write as _},
    path::{Path, PathBuf},
    process::ExitCode,
};

use clap::Args;
use playledger::{
    ledger::{
        device::Device,
        document::MOST_BYTES,
        evidence::{Evidence, KeptProof, KeptReceipt},
        report::Report,
        restore::Restore,
        seat_key::SeatKey,
        verify::verify,
    },
    tree::note::{VerifierKey, WitnessKey},
};
use serde_json::json;

/// Verify replay documents, without network or database
///
/// Exits with 0 if no check failed, with 1 if one did, and with 2 if something could not be read.
#[derive(Args)]
pub struct Verify {
    /// Replay documents
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Verifier key that you trust, as `name+hex+base64`; repeatable
    #[arg(long = "key", value_name = "VKEY")]
    keys: Vec<VerifierKey>,
    /// File with a receipt that a player kept; repeatable. A proof of its head may be in FILE.proof
    #[arg(long = "receipt", value_name = "FILE")]
    receipts: Vec<PathBuf>,
    /// Proof of an entry that a player kept: its seq and a file; repeatable
    #[arg(long = "proof", value_name = "SEQ:FILE")]
    proofs: Vec<String>,
    /// File with a device statement, as JSON; repeatable
    #[arg(long = "device", value_name = "FILE")]
    devices: Vec<PathBuf>,
    /// File with the operator's statement of a restore (from `/v1/keys`); repeatable
    #[arg(long = "restore", value_name = "FILE")]
    restores: Vec<PathBuf>,
    /// Public key of a player that you know, in hex; repeatable
    #[arg(long = "player", value_name = "KEY")]
    players: Vec<SeatKey>,
    /// Key of a public tree that you trust, as `name+hex+base64`; repeatable
    #[arg(long = "log-key", value_name = "VKEY")]
    logs: Vec<VerifierKey>,
    /// Key of a witness that you trust; repeatable
    #[arg(long = "witness", value_name = "VKEY")]
    witnesses: Vec<WitnessKey>,
    /// Number of these witnesses that must have signed the tree
    #[arg(long, default_value_t = 0, value_name = "COUNT")]
    quorum: usize,
    /// Replay document of the previous game, for a rematch
    #[arg(long, value_name = "FILE")]
    previous: Option<PathBuf>,
    /// Print the reports as JSON
    #[arg(long)]
    json: bool,
}

impl Verify {
    pub fn run(self) -> Result<ExitCode, Box<dyn Error>> {
        let receipts: Result<Vec<KeptReceipt>, Box<dyn Error>> =
            self.receipts.iter().map(|path| read_receipt(path)).collect();
        let receipts = receipts?;
        let proofs: Result<Vec<KeptProof>, Box<dyn Error>> =
            self.proofs.iter().map(|text| read_proof(text)).collect();
        let proofs = proofs?;
        let devices: Result<Vec<Device>, Box<dyn Error>> =
            self.devices.iter().map(|path| read_device(path)).collect();
        let devices = devices?;
        let restores: Result<Vec<Restore>, Box<dyn Error>> =
            self.restores.iter().map(|path| read_restore(path)).collect();
        let restores = restores?;
        let previous = self.previous.as_deref().map(read).transpose()?;
        let mut reports: Vec<(&PathBuf, Report)> = Vec::new();
        for path in &self.files {
            let document = read(path)?;
            let evidence = Evidence {
                document: &document,
                keys: &self.keys,
                receipts: &receipts,
                restores: &restores,
                proofs: &proofs,
                players: &self.players,
                devices: &devices,
                logs: &self.logs,
                witnesses: &self.witnesses,
                quorum: self.quorum,
                previous: previous.as_deref(),
            };
            reports.push((path, verify(&evidence)));
        }
        print(&reports, self.json)?;
        let failed = reports.iter().any(|(_, report)| report.failed());
        Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
    }
}

/// Reads a file up to one byte beyond the largest document, so that the verifier can refuse it.
fn read(path: &Path) -> Result<Vec<u8>, String> {
    let said = |error: io::Error| format!("{}: {error}", path.display());
    let mut document = Vec::new();
    let file = File::open(path).map_err(said)?;
    file.take(MOST_BYTES as u64 + 1).read_to_end(&mut document).map_err(said)?;
    Ok(document)
}

fn read_note(path: &Path) -> Result<String, Box<dyn Error>> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()).into())
}

/// Reads a receipt, and its proof if there is one.
fn read_receipt(path: &Path) -> Result<KeptReceipt, Box<dyn Error>> {
    let mut beside = path.as_os_str().to_owned();
    beside.push(".proof");
    let beside = PathBuf::from(beside);
    let proof = beside.exists().then(|| read_note(&beside)).transpose()?;
    Ok(KeptReceipt { receipt: read_note(path)?, proof })
}

fn read_proof(text: &str) -> Result<KeptProof, Box<dyn Error>> {
    let (seq, file) = text.split_once(':').ok_or("--proof must be SEQ:FILE")?;
    Ok(KeptProof { seq: seq.parse()?, proof: read_note(Path::new(file))? })
}

fn read_device(path: &Path) -> Result<Device, Box<dyn Error>> {
    let said = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let value = serde_json::from_str(&read_note(path)?).map_err(|error| said(&error))?;
    Ok(Device::read(&value, String::new()).map_err(|error| said(&error))?)
}

fn read_restore(path: &Path) -> Result<Restore, Box<dyn Error>> {
    Restore::read(&read_note(path)?).map_err(|error| format!("{}: {error}", path.display()).into())
}

fn print(reports: &[(&PathBuf, Report)], as_json: bool) -> io::Result<()> {
    let mut out = io::stdout().lock();
    if as_json {
        let all: Vec<_> = reports
            .iter()
            .map(|(path, report)| {
                let mut written = json!(report);
                written["file"] = path.display().to_string().into();
                written
            })
            .collect();
        return writeln!(out, "{}", json!(all));
    }
    for (path, report) in reports {
        writeln!(out, "{}\n{report}\n", path.display())?;
    }
    Ok(())
}
