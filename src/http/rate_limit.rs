//! Rate limits: each client has an account that fills with time and pays for its requests.

use std::{
    collections::HashMap,
    hash::Hash,
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

/// Clients that are remembered before accounts in balance are dropped.
const CLIENTS: usize = 50_000;
/// Largest overdraft, in time to pay it back.
const MOST_DEBT: Duration = Duration::from_mins(2);

/// An exceeded limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Exceeded {
    /// Name of the limit.
    pub limit: &'static str,
    /// Burst of the limit, and the seconds in which it refills.
    pub quota: u64,
    pub window: u64,
    pub wait: Duration,
}

/// State of a client's account.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClientBalance {
    pub quota: u64,
    pub window: u64,
    pub left: u64,
    pub reset: u64,
}

/// Accounts of clients, unless the limit is off. An account is the time at which all requests are paid for
/// (generic cell rate algorithm): it is in the future by the overdraft.
pub struct RateLimit<C> {
    name: &'static str,
    rate: Option<Rate>,
    begin: Instant,
    accounts: Mutex<ClientAccounts<C>>,
}

struct Rate {
    /// Time that pays for a thousandth of a request.
    milli: f64,
    /// How far ahead of its payments a client may be.
    credit: Duration,
}

struct ClientAccounts<C> {
    /// Times since `begin`.
    paid: HashMap<C, Duration>,
    /// Number of accounts that triggers a clean-up.
    room: usize,
}

#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "times are never negative, and far below what fits"
)]
impl<C: Eq + Hash> RateLimit<C> {
    /// Allows `rate` in `per` on average, and `burst` at once after a pause. A rate of 0 means no limit.
    pub fn new(name: &'static str, rate: u32, per: Duration, burst: u32) -> Self {
        let rate = (rate > 0).then(|| Rate {
            milli: per.as_secs_f64() / f64::from(rate) / 1e3,
            credit: per.mul_f64(f64::from(burst.max(1)) / f64::from(rate)),
        });
        let accounts = Mutex::new(ClientAccounts { paid: HashMap::new(), room: CLIENTS });
        Self { name, rate, begin: Instant::now(), accounts }
    }

    fn accounts(&self) -> MutexGuard<'_, ClientAccounts<C>> {
        self.accounts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Admits one request of a client. Fails if the client must wait.
    pub fn enter(&self, client: C) -> Result<(), Exceeded> {
        let Some(rate) = &self.rate else { return Ok(()) };
        let (now, mut accounts) = (self.begin.elapsed(), self.accounts());
        let paid = accounts.of(client, now);
        let after = (*paid).max(now) + Duration::from_secs_f64(rate.milli * 1e3);
        match after.checked_sub(now + rate.credit) {
            None | Some(Duration::ZERO) => {
                *paid = after;
                Ok(())
            }
            Some(wait) => {
                let (quota, window) = rate.policy();
                Err(Exceeded { limit: self.name, quota, window, wait })
            }
        }
    }

    /// Gives one request back.
    pub fn give_back(&self, client: C) {
        let Some(Rate { milli, .. }) = &self.rate else { return };
        let (now, mut accounts) = (self.begin.elapsed(), self.accounts());
        let paid = accounts.of(client, now);
        *paid = paid.saturating_sub(Duration::from_secs_f64(milli * 1e3));
    }

    /// Charges an account with thousandths of a request.
    pub fn charge(&self, client: C, millis: u64) {
        let Some(Rate { milli, credit }) = &self.rate else { return };
        let (now, mut accounts) = (self.begin.elapsed(), self.accounts());
        let paid = accounts.of(client, now);
        let price = Duration::from_secs_f64(milli * f64::from(u32::try_from(millis).unwrap_or(u32::MAX)));
        *paid = ((*paid).max(now) + price).min(now + *credit + MOST_DEBT);
    }

    /// Returns the state of an account: burst, seconds to refill it, what is left, and seconds until it is
    /// full. `None` without a limit.
    pub fn standing(&self, client: &C) -> Option<ClientBalance> {
        let rate = self.rate.as_ref()?;
        let paid = self.accounts().paid.get(client).copied().unwrap_or_default();
        let drawn = paid.saturating_sub(self.begin.elapsed());
        let (quota, window) = rate.policy();
        Some(ClientBalance {
            quota,
            window,
            left: rate.whole(rate.credit.saturating_sub(drawn)),
            reset: drawn.as_secs_f64().ceil() as u64,
        })
    }

    /// Returns how long the client must wait until its account is in balance.
    pub fn overdraft(&self, client: &C) -> Duration {
        let Some(Rate { credit, .. }) = &self.rate else { return Duration::ZERO };
        let paid = self.accounts().paid.get(client).copied().unwrap_or_default();
        paid.saturating_sub(self.begin.elapsed() + *credit)
    }
}

#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "times are never negative, and far below what fits"
)]
impl Rate {
    /// Returns the burst, and the seconds to refill it.
    fn policy(&self) -> (u64, u64) {
        (self.whole(self.credit + Duration::from_nanos(500)), self.credit.as_secs_f64().ceil() as u64)
    }

    /// Returns the number of requests that this time pays for.
    fn whole(&self, time: Duration) -> u64 {
        (time.as_secs_f64() / (self.milli * 1e3)) as u64
    }
}

impl<C: Eq + Hash> ClientAccounts<C> {
    fn of(&mut self, client: C, now: Duration) -> &mut Duration {
        if self.paid.len() >= self.room {
            self.paid.retain(|_, paid| *paid > now);
            self.room = CLIENTS.max(2 * self.paid.len());
        }
        self.paid.entry(client).or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A rate that pays nothing back while the test runs.
    fn slow(burst: u32) -> RateLimit<u8> {
        RateLimit::new("test", 1, Duration::from_hours(1), burst)
    }

    #[test]
    fn a_burst_is_let_in_and_no_more_and_each_client_has_its_own() {
        let limit = slow(3);
        assert!((0..3).all(|_| limit.enter(1).is_ok()));
        let Exceeded { limit: name, quota, window, wait } = limit.enter(1).unwrap_err();
        assert_eq!((name, quota, window), ("test", 3, 3 * 3_600));
        assert!(wait > Duration::from_mins(59) && wait <= Duration::from_hours(1), "{wait:?}");
        assert!(limit.enter(2).is_ok());
    }

    #[test]
    fn a_client_is_told_how_it_stands() {
        let limit = RateLimit::<u8>::new("test", 10, Duration::from_hours(1), 20);
        let standing = |client| limit.standing(&client).unwrap();
        assert_eq!(standing(1), ClientBalance { quota: 20, window: 7_200, left: 20, reset: 0 });
        limit.enter(1).unwrap();
        limit.charge(1, 4_000);
        assert_eq!(standing(1), ClientBalance { quota: 20, window: 7_200, left: 15, reset: 1_800 });
        assert_eq!(RateLimit::<u8>::new("test", 0, Duration::from_hours(1), 20).standing(&1), None);
    }

    #[test]
    fn what_costs_more_draws_more() {
        let limit = slow(10);
        limit.charge(1, 9_000);
        assert!(limit.enter(1).is_ok() && limit.enter(1).is_err());
        assert_eq!(limit.overdraft(&1), Duration::ZERO, "all that it may have at once is no debt");
        limit.charge(1, u64::MAX);
        let overdraft = limit.overdraft(&1);
        assert!(!overdraft.is_zero() && overdraft <= MOST_DEBT, "{overdraft:?}");
    }

    #[test]
    fn without_a_rate_there_is_no_limit() {
        let limit = RateLimit::new("test", 0, Duration::from_secs(1), 0);
        assert!((0..1_000).all(|_| limit.enter(1).is_ok()));
        limit.charge(1, u64::MAX);
        assert_eq!(limit.overdraft(&1), Duration::ZERO);
    }

    #[test]
    fn those_who_owe_nothing_are_forgotten() {
        let limit = RateLimit::<u64>::new("test", u32::MAX, Duration::from_nanos(1), 1);
        for client in 0..3 * CLIENTS as u64 {
            let _ = limit.enter(client);
        }
        assert!(limit.accounts().paid.len() <= CLIENTS);
    }
}
