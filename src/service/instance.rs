//! The instance: what it says of itself, and what operators set while it runs.

use std::{
    net::IpAddr,
    sync::{Arc, PoisonError, RwLock},
};

use icu_normalizer::ComposingNormalizer;
use serde::{Deserialize, Serialize};
use tokio::sync::Mutex;

use super::{Base, ServiceError, ports::Clock, reading::time};
use crate::{
    network::Network,
    store::{Change, ModerationChange, Store, StoreError, Write},
    words::Registration,
};

// Names of settings in the store. A banned address is a setting of its own.
const REGISTRATION: &str = "registration";
const NOTICE: &str = "notice";
const BAN: &str = "ban ";

/// Description of the instance, from the flags.
#[derive(Clone, Debug, Default)]
pub struct InstanceInfo {
    pub name: Option<String>,
    pub rules_url: Option<String>,
    pub contact_url: Option<String>,
    pub imprint_url: Option<String>,
    pub privacy_url: Option<String>,
    /// Registration mode until an operator changes it.
    pub registration: Option<Registration>,
    /// Names that no player may have, in any case and spacing.
    pub reserved_names: Vec<String>,
}

/// The instance of the server.
#[derive(Serialize)]
#[wire]
#[schema(as = Server)]
pub struct ServerView {
    /// Name of the instance.
    pub name: Option<String>,
    /// Version of the program.
    pub version: &'static str,
    pub registration: Registration,
    /// Message of the operator to everyone.
    pub notice: Option<NoticeView>,
    pub rules_url: Option<String>,
    pub contact_url: Option<String>,
    pub imprint_url: Option<String>,
    pub privacy_url: Option<String>,
}

/// A message of the operator to everyone.
#[derive(Serialize)]
#[wire]
#[schema(as = ServerNotice)]
pub struct NoticeView {
    pub text: String,
    #[schema(format = DateTime)]
    pub until: Option<String>,
}

/// A message to everyone, until a time.
#[derive(Clone, Serialize, Deserialize)]
pub struct ServerNotice {
    pub text: String,
    pub until: Option<u64>,
}

/// An address or network that may not use the API. Never public.
#[derive(Clone)]
pub struct AddressBan {
    pub address: String,
    pub network: Network,
    pub until: Option<u64>,
}

impl AddressBan {
    fn is_over(&self, now: u64) -> bool {
        self.until.is_some_and(|until| until <= now)
    }
}

/// Settings of the store.
#[derive(Default)]
struct InstanceState {
    registration: Option<Registration>,
    notice: Option<ServerNotice>,
    bans: Vec<AddressBan>,
}

/// The instance. Its settings are in memory, and read again after a change.
pub struct Instance {
    store: Arc<Store>,
    clock: Arc<dyn Clock>,
    info: InstanceInfo,
    state: RwLock<Arc<InstanceState>>,
    /// Reads of the settings, one after the other: an older one never replaces a newer one.
    reading: Mutex<()>,
}

impl Instance {
    pub async fn open(base: &Base) -> Result<Self, ServiceError> {
        let (store, clock) = (Arc::clone(&base.store), Arc::clone(&base.clock));
        let instance = Self {
            store,
            clock,
            info: base.limits.instance.clone(),
            state: RwLock::default(),
            reading: Mutex::default(),
        };
        instance.reload().await?;
        Ok(instance)
    }

    /// Reads the settings again. Other servers do so every few seconds.
    pub async fn reload(&self) -> Result<(), ServiceError> {
        let _turn = self.reading.lock().await;
        let mut state = InstanceState::default();
        for (name, value) in self.store.settings().await? {
            match name.as_str() {
                REGISTRATION => state.registration = Registration::from_word(&value),
                NOTICE => state.notice = serde_json::from_str(&value).ok(),
                _ => {
                    let address = name.strip_prefix(BAN).unwrap_or_default().to_owned();
                    if let Ok(network) = address.parse() {
                        state.bans.push(AddressBan { address, network, until: value.parse().ok() });
                    }
                }
            }
        }
        *self.state.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(state);
        Ok(())
    }

    fn state(&self) -> Arc<InstanceState> {
        Arc::clone(&self.state.read().unwrap_or_else(PoisonError::into_inner))
    }

    pub fn registration(&self) -> Registration {
        self.state().registration.or(self.info.registration).unwrap_or(Registration::Open)
    }

    /// Returns whether an address is banned now.
    pub fn bans(&self, address: IpAddr) -> bool {
        let state = self.state.read().unwrap_or_else(PoisonError::into_inner);
        !state.bans.is_empty() && {
            let now = self.clock.now();
            state.bans.iter().any(|ban| !ban.is_over(now) && ban.network.contains(address))
        }
    }

    /// Returns the banned addresses.
    pub fn banned_addresses(&self) -> Vec<AddressBan> {
        let now = self.clock.now();
        self.state().bans.iter().filter(|ban| !ban.is_over(now)).cloned().collect()
    }

    /// Deletes the addresses of bans that have ended.
    pub async fn forget_ended_bans(&self) -> Result<(), ServiceError> {
        let (state, now) = (self.state(), self.clock.now());
        let mut ended = state.bans.iter().filter(|ban| ban.is_over(now)).map(|ban| Self::unban(&ban.address));
        let Some(first) = ended.next() else { return Ok(()) };
        match self.store.write(ended.fold(Write::of(first), Write::and)).await {
            // Another server was faster.
            Ok(()) | Err(StoreError::Gone) => self.reload().await,
            Err(error) => Err(error.into()),
        }
    }

    /// Returns whether players may not choose a name.
    pub fn reserves(&self, name: &str) -> bool {
        let plain = plain(name);
        self.info.reserved_names.iter().any(|reserved| self::plain(reserved) == plain)
    }

    pub fn view(&self) -> ServerView {
        let (state, now) = (self.state(), self.clock.now());
        let InstanceInfo { name, rules_url, contact_url, imprint_url, privacy_url, .. } = self.info.clone();
        let notice = state.notice.clone().filter(|notice| notice.until.is_none_or(|until| until > now));
        ServerView {
            name,
            version: env!("CARGO_PKG_VERSION"),
            registration: self.registration(),
            notice: notice.map(|notice| NoticeView { text: notice.text, until: notice.until.map(time) }),
            rules_url,
            contact_url,
            imprint_url,
            privacy_url,
        }
    }
}

/// Returns a name without what readers overlook: case, width, spaces and punctuation.
pub fn plain(name: &str) -> String {
    let name = ComposingNormalizer::new_nfkc().normalize(name).to_lowercase();
    // A dotless i looks like one with a dot.
    name.chars()
        .map(|sign| if sign == 'ı' { 'i' } else { sign })
        .filter(|sign| sign.is_alphanumeric())
        .collect()
}

/// Changes of settings.
impl Instance {
    pub fn set_registration(registration: Registration) -> Change {
        ModerationChange::set(REGISTRATION, Some(registration.word().to_owned()))
    }

    pub fn set_notice(notice: Option<&ServerNotice>) -> Change {
        let value = notice.and_then(|notice| serde_json::to_string(notice).ok());
        ModerationChange::set(NOTICE, value)
    }

    /// Bans an address until a time or, with `None`, for ever.
    pub fn ban(address: &str, until: Option<u64>) -> Change {
        let value = until.map_or_else(|| "for ever".to_owned(), |until| until.to_string());
        ModerationChange::set(&format!("{BAN}{address}"), Some(value))
    }

    pub fn unban(address: &str) -> Change {
        ModerationChange::unset(&format!("{BAN}{address}"))
    }
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn a_reserved_name_is_recognized_in_disguise() {
        for name in
            ["admin", "Admin", "A d m i n", "admin.", "_ADMIN_", "Ａｄｍｉｎ", "ⓐⓓⓜⓘⓝ", "ADMİN", "admın"]
        {
            assert_eq!(plain(name), "admin", "{name}");
        }
        assert_ne!(plain("Admina"), "admin");
    }
}
