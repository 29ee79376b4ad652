use std::{
    error::Error,
    io::{Read as _, Write as _},
    net::{IpAddr, Ipv4Addr, SocketAddr, TcpStream},
    process::ExitCode,
    time::Duration,
};

use clap::Args;

/// Ask a running server whether games can be played (for a container's health check)
#[derive(Args)]
pub struct Health {
    /// The address that the server listens on
    #[arg(long, env = "PLAYLEDGER_LISTEN", default_value = "127.0.0.1:8080")]
    listen: SocketAddr,
}

impl Health {
    pub fn run(self) -> Result<ExitCode, Box<dyn Error>> {
        let ip = if self.listen.ip().is_unspecified() {
            IpAddr::V4(Ipv4Addr::LOCALHOST)
        } else {
            self.listen.ip()
        };
        let address = SocketAddr::new(ip, self.listen.port());
        let patience = Duration::from_secs(2);
        let mut stream = TcpStream::connect_timeout(&address, patience)?;
        stream.set_read_timeout(Some(patience))?;
        stream.write_all(b"GET /health/ready HTTP/1.0\r\n\r\n")?;
        // The status is all that is read: `HTTP/1.0 200`.
        let mut begin = [0; 12];
        stream.read_exact(&mut begin)?;
        Ok(if begin.ends_with(b" 200") { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }
}
