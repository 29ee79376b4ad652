//! A connection between a server and its database that tests can cut.

use std::{
    io::{Read as _, Write as _},
    net::{Shutdown, SocketAddr, TcpListener, TcpStream},
    sync::{
        Arc,
        atomic::{AtomicU8, AtomicUsize, Ordering},
    },
    thread,
    time::Duration,
};

const WHOLE: u8 = 0;
/// Drops everything silently.
const SILENT: u8 = 1;
/// The next commit goes through, and its answer does not.
const SWALLOW: u8 = 2;
/// All goes through, late.
const SLOW: u8 = 3;
/// A delay longer than between two servers of a city.
const LATE: Duration = Duration::from_millis(20);

pub struct Wire {
    pub address: SocketAddr,
    state: Arc<AtomicU8>,
    swallowed: Arc<AtomicUsize>,
}

impl Wire {
    pub fn to(port: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let (state, swallowed) = (Arc::new(AtomicU8::new(WHOLE)), Arc::new(AtomicUsize::new(0)));
        let (state_here, swallowed_here) = (Arc::clone(&state), Arc::clone(&swallowed));
        thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                if let Ok(server) = TcpStream::connect(("127.0.0.1", port)) {
                    carry(&client, &server, &state_here, &swallowed_here);
                }
            }
        });
        Self { address, state, swallowed }
    }

    pub fn cut(&self) {
        self.state.store(SILENT, Ordering::SeqCst);
    }

    pub fn slow(&self) {
        self.state.store(SLOW, Ordering::SeqCst);
    }

    pub fn mend(&self) {
        self.state.store(WHOLE, Ordering::SeqCst);
    }

    pub fn swallow_next_commit(&self) {
        self.state.store(SWALLOW, Ordering::SeqCst);
    }

    /// Returns the number of lost answers to commits.
    pub fn swallowed(&self) -> usize {
        self.swallowed.load(Ordering::SeqCst)
    }
}

/// Delays like a slow connection.
fn lag(state: &AtomicU8) {
    if state.load(Ordering::SeqCst) == SLOW {
        thread::sleep(LATE);
    }
}

/// Returns whether an answer reports a commit: by that word, or as rows of an implicit transaction.
fn tells_of_a_commit(answer: &[u8]) -> bool {
    let says = |words: &[u8]| answer.windows(words.len()).any(|seen| seen == words);
    says(b"COMMIT\0") || (says(b"INSERT 0 ") && says(b"Z\0\0\0\x05I"))
}

fn carry(client: &TcpStream, server: &TcpStream, state: &Arc<AtomicU8>, swallowed: &Arc<AtomicUsize>) {
    let both = |stream: &TcpStream| (stream.try_clone().unwrap(), stream.try_clone().unwrap());
    let ((mut from_client, mut to_client), (mut from_server, mut to_server)) = (both(client), both(server));
    let state_up = Arc::clone(state);
    thread::spawn(move || {
        let mut bytes = [0; 1 << 14];
        while let Ok(count @ 1..) = from_client.read(&mut bytes) {
            if state_up.load(Ordering::SeqCst) == SILENT {
                continue;
            }
            lag(&state_up);
            if to_server.write_all(&bytes[..count]).is_err() {
                break;
            }
        }
        let _ = to_server.shutdown(Shutdown::Both);
    });
    let (state, swallowed) = (Arc::clone(state), Arc::clone(swallowed));
    thread::spawn(move || {
        let mut bytes = [0; 1 << 14];
        while let Ok(count @ 1..) = from_server.read(&mut bytes) {
            lag(&state);
            let is_commit = tells_of_a_commit(&bytes[..count]);
            if is_commit && state.compare_exchange(SWALLOW, WHOLE, Ordering::SeqCst, Ordering::SeqCst).is_ok()
            {
                swallowed.fetch_add(1, Ordering::SeqCst);
                break;
            }
            if state.load(Ordering::SeqCst) != SILENT && to_client.write_all(&bytes[..count]).is_err() {
                break;
            }
        }
        let _ = to_client.shutdown(Shutdown::Both);
        let _ = from_server.shutdown(Shutdown::Both);
    });
}
