//! The store: one of two backends, as the operator chose.

use std::path::Path;

use futures_util::future::Either;

use super::{
    OnCommit, StoreError, Write,
    postgres::{self, Postgres},
    slow_commits::SlowCommits,
    sqlite::{self, Sqlite},
    traits::Database as _,
};

/// The store of the service. Its methods are those of the traits in `store/traits.rs`, called on the backend.
pub enum Store {
    /// A file of this server alone.
    File(Sqlite),
    /// A database that several servers share.
    Server(Postgres),
}

impl Store {
    pub fn open(path: &Path, settings: &sqlite::Settings) -> Result<Self, StoreError> {
        Sqlite::open(path, settings).map(Self::File)
    }

    pub async fn connect(settings: &postgres::Settings) -> Result<Self, StoreError> {
        Postgres::connect(settings).await.map(Self::Server)
    }

    /// Returns the version of the schema before this start and after.
    pub const fn versions(&self) -> (u32, u32) {
        match self {
            Self::File(file) => file.versions,
            Self::Server(server) => server.versions,
        }
    }

    /// Returns the other servers of a shared database. Games in memory must then be compared with the
    /// database before use.
    pub const fn peers(&self) -> Option<&Postgres> {
        match self {
            Self::File(_) => None,
            Self::Server(server) => Some(server),
        }
    }

    /// Queues a write and resolves once it is durable.
    ///
    /// Writes may run concurrently on PostgreSQL: await a write before queueing a dependent one. `on_commit`
    /// runs even if this future is dropped.
    pub fn write_and(
        &self,
        write: Write,
        on_commit: OnCommit,
    ) -> impl Future<Output = Result<(), StoreError>> + Send + use<> {
        match self {
            Self::File(file) => Either::Left(file.write_and(write, on_commit)),
            Self::Server(server) => Either::Right(Box::pin(server.write_and(write, on_commit))),
        }
    }

    /// Queues a write without callbacks.
    pub fn write(&self, write: Write) -> impl Future<Output = Result<(), StoreError>> + Send + use<> {
        self.write_and(write, OnCommit::nothing())
    }

    /// Returns the slow commits of this store.
    pub fn slow_commits(&self) -> &SlowCommits {
        match self {
            Self::File(file) => file.slow_commits(),
            Self::Server(server) => server.slow_commits(),
        }
    }
}

/// Declares a part of the contract of a store: a trait for the backends, and the same methods on [`Store`].
///
/// Futures of PostgreSQL are boxed, so that callers on SQLite stay small.
macro_rules! contract {
    (
        $(#[$about:meta])*
        pub trait $Trait:ident {
            $(sync { $($(#[$doc:meta])* fn $name:ident($($arg:ident: $Arg:ty),*) -> $Answer:ty;)+ })?
            $($(#[$later_doc:meta])* async fn $later:ident($($later_arg:ident: $LaterArg:ty),* $(,)?) -> $Later:ty;)*
        }
    ) => {
        $(#[$about])*
        pub trait $Trait {
            $($($(#[$doc])* fn $name(&self, $($arg: $Arg),*) -> $Answer;)+)?
            $(
                $(#[$later_doc])*
                fn $later(
                    &self,
                    $($later_arg: $LaterArg),*
                ) -> impl Future<Output = Result<$Later, StoreError>> + Send;
            )*
        }

        impl Store {
            $($(
                $(#[$doc])*
                pub fn $name(&self, $($arg: $Arg),*) -> $Answer {
                    match self {
                        Self::File(file) => $Trait::$name(file, $($arg),*),
                        Self::Server(server) => $Trait::$name(server, $($arg),*),
                    }
                }
            )+)?
            $(
                $(#[$later_doc])*
                pub async fn $later(&self, $($later_arg: $LaterArg),*) -> Result<$Later, StoreError> {
                    match self {
                        Self::File(file) => $Trait::$later(file, $($later_arg),*).await,
                        Self::Server(server) => Box::pin($Trait::$later(server, $($later_arg),*)).await,
                    }
                }
            )*
        }
    };
}

pub(super) use contract;
