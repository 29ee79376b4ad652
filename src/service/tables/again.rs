//! Repetition of acts that other writes overtake.

use crate::service::ServiceError;

/// Tries an act again, up to this number of times, while other writes overtake it.
pub async fn again<T>(
    tries: usize,
    act: impl AsyncFn() -> Result<T, ServiceError>,
) -> Result<T, ServiceError> {
    for _ in 0..tries {
        match act().await {
            Err(ServiceError::Overtaken) => {}
            done => return done,
        }
    }
    Err(ServiceError::Busy)
}
