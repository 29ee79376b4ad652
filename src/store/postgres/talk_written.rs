//! Notes, messages, seats that are offered, and games that are played on for oneself: written.

use super::{
    columns::{Int, whole},
    link::{Fail, Value},
    transaction::Transaction,
};
use crate::store::{
    ExplorationChange, ExplorationRow, MessageRow, NoteRow, SubstitutionChange, TalkChange, exploration,
};

pub async fn apply(transaction: &Transaction<'_>, change: &TalkChange) -> Result<(), Fail> {
    let done = match change {
        TalkChange::SetNote { game, player, note } if note.text.is_empty() => {
            transaction.run("DELETE FROM note WHERE game = $1 AND player = $2", &[game, player]).await
        }
        TalkChange::SetNote { game, player, note: NoteRow { text, seq, at } } => {
            let set = "INSERT INTO note (game, player, text, seq, at) VALUES ($1, $2, $3, $4, $5)
                ON CONFLICT (game, player) DO UPDATE SET text = excluded.text, seq = excluded.seq, at = excluded.at";
            transaction.run(set, &[game, player, text, &whole(*seq), &whole(*at)]).await
        }
        TalkChange::AddMessage { game, message: MessageRow { id, seat, player, text, at } } => {
            let add =
                "INSERT INTO message (game, id, seat, player, text, at) VALUES ($1, $2, $3, $4, $5, $6)";
            transaction.run(add, &[game, id, &Int((*seat).into()), player, text, &whole(*at)]).await
        }
        TalkChange::Mute { game, player, muted, is_muted } => {
            let mute = if *is_muted {
                "INSERT INTO mute (game, player, muted) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING"
            } else {
                "DELETE FROM mute WHERE game = $1 AND player = $2 AND muted = $3"
            };
            transaction.run(mute, &[game, player, muted]).await
        }
    };
    done.map(|_| ())
}

pub async fn apply_substitution(
    transaction: &Transaction<'_>,
    change: &SubstitutionChange,
) -> Result<(), Fail> {
    match change {
        SubstitutionChange::Offer { game, seat, player, id, code } => {
            let offer =
                "INSERT INTO substitution (game, seat, player, uuid, code) VALUES ($1, $2, $3, $4, $5)
                ON CONFLICT (game, seat) DO UPDATE SET player = excluded.player, uuid = excluded.uuid,
                    code = excluded.code, asker = NULL, taken = NULL";
            transaction.run(offer, &[game, &Int((*seat).into()), player, id, code]).await.map(|_| ())
        }
        SubstitutionChange::Ask { id, asker, taken, before } => {
            let ask = "UPDATE substitution SET asker = $2, taken = $3 WHERE uuid = $1 AND asker IS NOT DISTINCT FROM $4";
            transaction.unless_gone(ask, &[id, asker, taken, before]).await
        }
        SubstitutionChange::Withdraw { game, seat } => {
            let withdraw = "DELETE FROM substitution WHERE game = $1 AND seat = $2";
            transaction.run(withdraw, &[game, &Int((*seat).into())]).await.map(|_| ())
        }
    }
}

pub async fn apply_exploration(
    transaction: &Transaction<'_>,
    change: &ExplorationChange,
) -> Result<(), Fail> {
    match change {
        ExplorationChange::Add(row) => add(transaction, row).await,
        ExplorationChange::SetCommands { id, before, commands } => {
            let set = "UPDATE exploration SET commands = $3 WHERE uuid = $1 AND commands = $2";
            transaction.unless_gone(set, &[id, before, commands]).await
        }
        ExplorationChange::Remove { id, player } => {
            let remove = "DELETE FROM exploration WHERE uuid = $1 AND player = $2";
            transaction.run(remove, &[id, player]).await.map(|_| ())
        }
        ExplorationChange::Forget { before } => {
            let forget = "DELETE FROM exploration WHERE created_at < $1";
            transaction.run(forget, &[&whole(*before)]).await.map(|_| ())
        }
    }
}

async fn add(transaction: &Transaction<'_>, row: &ExplorationRow) -> Result<(), Fail> {
    let ExplorationRow { id, player, game, seq, seat, seed, levels, commands, created_at, .. } = row;
    let add = "INSERT INTO exploration (uuid, player, game, seq, seat, seed, levels, commands, created_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
    let seat = seat.map(|seat| Int(seat.into()));
    let values: [Value<'_>; 9] =
        [id, player, game, &whole(*seq), &seat, &&seed[..], levels, commands, &whole(*created_at)];
    transaction.run(add, &values).await?;
    let clear = "DELETE FROM exploration WHERE player = $1 AND uuid NOT IN
        (SELECT uuid FROM exploration WHERE player = $1 ORDER BY created_at DESC, uuid DESC LIMIT $2)";
    transaction.run(clear, &[player, &Int(exploration::MOST.into())]).await.map(|_| ())
}
