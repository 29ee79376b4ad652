//! Notices to the service manager (systemd): ready, and stopping.

#[cfg(unix)]
pub fn notify(state: &str) {
    use std::{env, os::unix::net::UnixDatagram};

    let Some(socket) = env::var_os("NOTIFY_SOCKET") else { return };
    // A manager that does not listen is no reason not to serve.
    let _ = UnixDatagram::unbound().and_then(|datagram| send(&datagram, &socket, state));
}

#[cfg(target_os = "linux")]
fn send(
    datagram: &std::os::unix::net::UnixDatagram,
    socket: &std::ffi::OsStr,
    state: &str,
) -> std::io::Result<usize> {
    use std::os::{
        linux::net::SocketAddrExt as _,
        unix::{ffi::OsStrExt as _, net::SocketAddr},
    };

    // A name that begins with `@` is not a file.
    match socket.as_bytes().strip_prefix(b"@") {
        Some(name) => datagram.send_to_addr(state.as_bytes(), &SocketAddr::from_abstract_name(name)?),
        None => datagram.send_to(state.as_bytes(), socket),
    }
}

#[cfg(all(unix, not(target_os = "linux")))]
fn send(
    datagram: &std::os::unix::net::UnixDatagram,
    socket: &std::ffi::OsStr,
    state: &str,
) -> std::io::Result<usize> {
    datagram.send_to(state.as_bytes(), socket)
}

#[cfg(not(unix))]
pub fn notify(_: &str) {}
