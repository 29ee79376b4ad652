//! Batches of questions: while one answer is on its way, new questions gather for the next.

use std::sync::Arc;

use tokio::{
    runtime::Handle,
    sync::{mpsc, oneshot},
};

use tokio_postgres::Row;

use super::{columns::get, link::PooledLine};
use crate::store::StoreError;

/// Questions of one batch.
const TOGETHER: usize = 256;

/// A question that can be batched.
pub trait Batched: Send + Sync + Sized + 'static {
    type Answer: Send + 'static;

    /// Returns the answers in the order of the questions.
    fn ask(
        line: &PooledLine,
        questions: &[Self],
    ) -> impl Future<Output = Result<Vec<Self::Answer>, StoreError>> + Send;
}

/// Returns the index of the question that a row answers. `WITH ORDINALITY` counts from 1.
pub fn place(row: &Row, column: usize) -> Result<usize, StoreError> {
    Ok(usize::try_from(get::<u64>(row, column)?).unwrap_or(usize::MAX).wrapping_sub(1))
}

type WaitingQuestion<Q> = (Q, oneshot::Sender<Result<<Q as Batched>::Answer, StoreError>>);

pub struct Batcher<Q: Batched>(mpsc::UnboundedSender<WaitingQuestion<Q>>);

impl<Q: Batched> Batcher<Q> {
    pub fn start(runtime: &Handle, line: Arc<PooledLine>) -> Self {
        let (sender, mut waiting) = mpsc::unbounded_channel::<WaitingQuestion<Q>>();
        runtime.spawn(async move {
            let mut gathered = Vec::with_capacity(TOGETHER);
            while waiting.recv_many(&mut gathered, TOGETHER).await > 0 {
                let (questions, who): (Vec<Q>, Vec<_>) = gathered.drain(..).unzip();
                match Q::ask(&line, &questions).await {
                    Ok(answers) => {
                        for (who, answer) in who.into_iter().zip(answers) {
                            let _ = who.send(Ok(answer));
                        }
                    }
                    Err(error) => {
                        for who in who {
                            let _ = who.send(Err(error.again()));
                        }
                    }
                }
            }
        });
        Self(sender)
    }

    pub async fn ask(&self, question: Q) -> Result<Q::Answer, StoreError> {
        let (who, answer) = oneshot::channel();
        self.0.send((question, who)).map_err(|_| StoreError::Stopped)?;
        answer.await.unwrap_or(Err(StoreError::Stopped))
    }
}
