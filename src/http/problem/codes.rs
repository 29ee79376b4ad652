//! All problem codes, with their status and texts.

use actix_web::http::StatusCode;

use crate::engine::Text;

/// A kind of problem, and its texts.
pub struct Code {
    pub id: &'static str,
    pub status: StatusCode,
    pub title: Text,
    /// The meaning, and what to do.
    pub help: Text,
}

/// Declares the codes, each as a constant and as a row of the table.
macro_rules! codes {
    ($($NAME:ident $id:literal $STATUS:ident { $en:literal, $it:literal; $help_en:literal, $help_it:literal })+) => {
        $(pub const $NAME: Code = Code {
            id: $id,
            status: StatusCode::$STATUS,
            title: Text { en: $en, it: $it },
            help: Text { en: $help_en, it: $help_it },
        };)+

        /// All codes.
        pub const CODES: &[Code] = &[$($NAME),+];
    };
}

codes! {
    MALFORMED "malformed" BAD_REQUEST {
        "Invalid request", "Richiesta non valida";
        "The request does not match the API schema. `errors` lists each wrong field of the body (`pointer`), parameter (`parameter`) or header (`header`) and what is expected; `detail` says it in one sentence.",
        "La richiesta non corrisponde allo schema dell'API. `errors` elenca ogni campo errato del corpo (`pointer`), parametro (`parameter`) o intestazione (`header`) e che cosa ci si aspetta; `detail` lo riassume in una frase." }
    UNAUTHORIZED "unauthorized" UNAUTHORIZED {
        "Token required", "Serve un token";
        "Send `Authorization: Bearer <token>` with a valid token. If you have lost yours, `POST /v1/recoveries` returns a new one for your recovery code.",
        "Invia `Authorization: Bearer <token>` con un token valido. Se lo hai perso, `POST /v1/recoveries` ne dà uno nuovo in cambio del codice di recupero." }
    INSUFFICIENT_SCOPE "insufficient_scope" FORBIDDEN {
        "Insufficient scope", "Permessi insufficienti";
        "The token lacks the scope in `scope`: `read` to watch, `play` to play, `account` for everything else. A token limited to one game cannot create or join others. Use another token or create one (`POST /v1/me/tokens`).",
        "Al token manca il permesso indicato in `scope`: `read` per guardare, `play` per giocare, `account` per tutto il resto. Un token limitato a una partita non può crearne altre né entrarvi. Usa un altro token o creane uno (`POST /v1/me/tokens`)." }
    INVALID_CODE "invalid_code" FORBIDDEN {
        "Invalid code", "Codice non valido";
        "The code is wrong or has expired. A recovery code works until the token it returned is used; a code for another device works once, within ten minutes. Check what you typed, or ask for a new code.",
        "Il codice è sbagliato o scaduto. Un codice di recupero vale finché non si usa il token che ha dato; un codice per un altro dispositivo vale una volta sola, entro dieci minuti. Ricontrolla, o chiedine uno nuovo." }
    SUSPENDED "suspended" FORBIDDEN {
        "Account suspended", "Account sospeso";
        "The operator has suspended this account. `GET /v1/operator-log` says why. You can still get your data (`GET /v1/me/export`) and delete the account (`DELETE /v1/me`).",
        "Il gestore ha sospeso questo account. `GET /v1/operator-log` dice perché. Puoi comunque avere i tuoi dati (`GET /v1/me/export`) e cancellare l'account (`DELETE /v1/me`)." }
    ADDRESS_BANNED "address_banned" FORBIDDEN {
        "Address banned", "Indirizzo escluso";
        "The operator has banned your address. Ask the contact in `GET /v1/server`.",
        "Il gestore ha escluso il tuo indirizzo. Chiedi al contatto indicato in `GET /v1/server`." }
    REGISTRATION_CLOSED "registration_closed" FORBIDDEN {
        "Registration closed", "Iscrizioni chiuse";
        "This server accepts no new players, or only those with an invitation code (`registration` in `GET /v1/server`). Ask its operator.",
        "Questo server non accetta nuovi giocatori, o solo con un codice d'invito (`registration` in `GET /v1/server`). Chiedi al gestore." }
    CANNOT_JOIN "cannot_join" FORBIDDEN {
        "You cannot join this game", "Non puoi entrare in questa partita";
        "This table is closed to you. Join another one, or create your own.",
        "Questo tavolo per te è chiuso. Entra in un altro, o creane uno tuo." }
    NOT_SEATED "not_seated" FORBIDDEN {
        "You are not a player of this game", "Non partecipi a questa partita";
        "Only players of the game may do this. You can watch it, and join it while it is open.",
        "Solo chi gioca può farlo. Puoi guardare la partita, ed entrare finché è aperta." }
    NOT_HOST "not_host" FORBIDDEN {
        "Only the host may do this", "Può farlo solo l'organizzatore";
        "The host is the player who created the game or, if they left, the longest-seated player. You can leave the game while it is open.",
        "L'organizzatore è chi ha creato la partita o, se è uscito, chi siede al tavolo da più tempo. Tu puoi lasciare la partita finché è aperta." }
    INVALID_INVITE "invalid_invite" FORBIDDEN {
        "Invalid invite", "Invito non valido";
        "This game can only be joined with its invite code. Its players see the code in the game.",
        "In questa partita si entra solo con il codice d'invito, che i giocatori vedono nella partita." }
    SEATS_RESERVED "seats_reserved" FORBIDDEN {
        "The seats are reserved", "I posti sono riservati";
        "This rematch is for the players of the previous game. Create a game of your own.",
        "Questa rivincita è per chi ha giocato la partita precedente. Crea una partita tua." }
    NOT_IN_TREE_YET "not_in_tree_yet" CONFLICT {
        "Not in the public tree yet", "Non ancora nell'albero pubblico";
        "A checkpoint of the tree follows some seconds after each change. Try again after the seconds in `Retry-After`.",
        "Ogni modifica compare in un checkpoint dell'albero dopo alcuni secondi. Riprova dopo i secondi indicati in `Retry-After`." }
    NOT_FOUND "not_found" NOT_FOUND {
        "Not found", "Non trovato";
        "The path is wrong, or you may not see what is there. A private game is visible only to its players; join it with its invite code.",
        "Il percorso è sbagliato, oppure non puoi vedere ciò che contiene. Una partita privata è visibile solo a chi la gioca; si entra con il codice d'invito." }
    METHOD_NOT_ALLOWED "method_not_allowed" METHOD_NOT_ALLOWED {
        "Method not allowed", "Metodo non consentito";
        "The path exists, but not with this method. The `Allow` header lists the methods that work.",
        "Il percorso esiste, ma non con questo metodo. L'intestazione `Allow` elenca i metodi validi." }
    NOT_ACCEPTABLE "not_acceptable" NOT_ACCEPTABLE {
        "Not acceptable", "Formato non disponibile";
        "The `Accept` header allows none of the media types of this path.",
        "L'intestazione `Accept` non ammette nessuno dei formati di questo percorso." }
    REQUEST_TIMEOUT "request_timeout" REQUEST_TIMEOUT {
        "Request timeout", "Richiesta troppo lenta";
        "The body of the request arrived too slowly. Send it again.",
        "Il corpo della richiesta è arrivato troppo lentamente. Invialo di nuovo." }
    ALREADY_SEATED "already_seated" CONFLICT {
        "You have already joined", "Sei già in questa partita";
        "A player can have only one seat in a game.",
        "Un giocatore può avere un solo posto per partita." }
    SEAT_TAKEN "seat_taken" CONFLICT {
        "No free seat", "Nessun posto libero";
        "The seat is taken, or the game is full. Get the game again to see its free seats. You can still watch it.",
        "Il posto è occupato, o il tavolo è completo. Ricarica la partita per vedere i posti liberi. Puoi comunque guardarla." }
    NAME_TAKEN "name_taken" CONFLICT {
        "Name already taken", "Nome già in uso";
        "Another bot has this name. Bots are invited by name, so their names must differ. Choose another one (`PATCH /v1/me`).",
        "Un altro bot ha questo nome. I bot si invitano per nome, quindi i nomi devono essere diversi. Scegline un altro (`PATCH /v1/me`)." }
    BOT_REFUSES "bot_refuses" CONFLICT {
        "The bot does not play such games", "Il bot non gioca partite di questo tipo";
        "`GET /v1/bots` lists the games that each bot accepts.",
        "`GET /v1/bots` elenca le partite che ogni bot accetta." }
    GAME_NOT_OPEN "game_not_open" CONFLICT {
        "The game is not open", "La partita non è aperta";
        "Players can join and leave only until all seats are taken.",
        "Si può entrare e uscire solo finché ci sono posti liberi." }
    GAME_NOT_FINISHED "game_not_finished" CONFLICT {
        "The game is not finished", "La partita non è finita";
        "The replay and the views of other seats contain secrets until the game ends; a rematch needs a game that was played to its end. Until then, follow the public log at `/v1/games/{id}/log`.",
        "Il replay e le viste degli altri contengono segreti finché la partita non è finita; la rivincita richiede una partita giocata fino alla fine. Fino ad allora segui il registro pubblico in `/v1/games/{id}/log`." }
    TOO_MANY_MESSAGES "too_many_messages" CONFLICT {
        "Too many messages", "Troppi messaggi";
        "The chat of this game is full. Continue somewhere else.",
        "La chat di questa partita è piena. Continuate altrove." }
    GAME_NOT_SEALED "game_not_sealed" CONFLICT {
        "The game needs no random bytes now", "La partita ora non attende byte casuali";
        "Random bytes are revealed after all seats are taken and before the game starts.",
        "I byte casuali si rivelano quando tutti i posti sono occupati e prima dell'inizio." }
    GAME_NOT_RUNNING "game_not_running" CONFLICT {
        "The game is not running", "La partita non è in corso";
        "Commands are accepted only between the start and the end of a game.",
        "I comandi si accettano solo fra l'inizio e la fine della partita." }
    RESIGNED "resigned" CONFLICT {
        "You have resigned", "Hai abbandonato";
        "A resignation is final. The autopilot plays your seat to the end.",
        "L'abbandono è definitivo. Il pilota automatico gioca al tuo posto fino alla fine." }
    AUTOPILOT_NOT_ACTIVE "autopilot_not_active" CONFLICT {
        "The autopilot does not play for you", "Il pilota automatico non gioca per te";
        "You can take your seat back only after the autopilot has taken it, which happens after three missed deadlines.",
        "Puoi riprendere il posto solo quando lo ha il pilota automatico, cioè dopo tre scadenze mancate." }
    STALE_SEQ "stale_seq" CONFLICT {
        "The game has moved on", "La partita è andata avanti";
        "`expected_seq` is not the newest entry; `seq` is. Get the view again, then decide.",
        "`expected_seq` non è l'ultima voce, che è `seq`. Ricarica la vista e decidi di nuovo." }
    DEADLINE_PASSED "deadline_passed" CONFLICT {
        "The deadline has passed", "Il tempo è scaduto";
        "Your time ran out before this request arrived, and the autopilot decided for you. `seq` is the newest entry. Get the view again: after three missed deadlines the autopilot keeps your seat until you take it back (`POST /v1/games/{id}/resumption`).",
        "Il tempo è scaduto prima che arrivasse la richiesta, e il pilota automatico ha deciso per te. `seq` è l'ultima voce. Ricarica la vista: dopo tre scadenze mancate il pilota automatico tiene il posto finché non lo riprendi (`POST /v1/games/{id}/resumption`)." }
    NO_CHANGE "no_change" CONFLICT {
        "Nothing to change", "Niente da cambiare";
        "The keys of your seat are already like this, or it has none.",
        "Le chiavi del tuo posto sono già così, o il posto non ne ha." }
    GAME_EXISTS "game_exists" CONFLICT {
        "This game already exists", "Questa partita esiste già";
        "A game with this id exists, or the rematch is open under another id. Get the game and join it, or draw a new id.",
        "Esiste una partita con questo id, o la rivincita è già aperta con un altro id. Carica la partita e unisciti, o genera un nuovo id." }
    PLAYER_EXISTS "player_exists" CONFLICT {
        "This key already has a player", "Questa chiave ha già un giocatore";
        "A player was created with this key. Sign in with its token or recovery code, or draw a new key.",
        "Un giocatore è stato creato con questa chiave. Accedi con il suo token o codice di recupero, o genera una nuova chiave." }
    TOO_MANY_DEVICES "too_many_devices" CONFLICT {
        "Too many devices", "Troppi dispositivi";
        "You have the maximum number of device statements. Remove a device first.",
        "Hai il numero massimo di dichiarazioni di dispositivi. Prima togline uno." }
    NONCE_REUSED "nonce_reused" UNPROCESSABLE_ENTITY {
        "Nonce already used", "Nonce già usato";
        "A join with this nonce is in the game already. Get the game: your request may have been accepted. Otherwise draw a new nonce.",
        "Nella partita c'è già un ingresso con questo nonce. Carica la partita: la tua richiesta potrebbe essere stata accettata. Altrimenti genera un nuovo nonce." }
    OPTION_NOT_ENABLED "option_not_enabled" CONFLICT {
        "This game was created without that option", "Questa partita non ha quell'opzione";
        "Takebacks, substitutes and the clock are chosen when a game is created. The game lists which of them it has.",
        "Mosse annullabili, sostituti e orologio si scelgono alla creazione. La partita indica quali ha." }
    NOTHING_TO_TAKE_BACK "nothing_to_take_back" CONFLICT {
        "Nothing to take back", "Nulla da annullare";
        "You can take back only your own decisions, and only while nothing was drawn, revealed or decided by others. The view lists the possible entries (`takeback`).",
        "Puoi annullare solo le tue decisioni, e solo finché nulla è stato pescato, rivelato o deciso da altri. La vista elenca le voci possibili (`takeback`)." }
    PAUSED "paused" CONFLICT {
        "The game is paused", "La partita è in pausa";
        "All players asked for a pause. `DELETE /v1/games/{id}/pause` ends it for everyone.",
        "Tutti hanno chiesto una pausa. `DELETE /v1/games/{id}/pause` la chiude per tutti." }
    AUTOPILOT_ACTIVE "autopilot_active" CONFLICT {
        "The autopilot plays for you", "Il pilota automatico gioca per te";
        "Take your seat back first (`POST /v1/games/{id}/resumption`), or send a command, which does the same.",
        "Prima riprendi il posto (`POST /v1/games/{id}/resumption`), o invia un comando, che fa lo stesso." }
    NO_SUBSTITUTE "no_substitute" CONFLICT {
        "No one has asked for the seat", "Nessuno ha chiesto il posto";
        "Give the code of the substitution to the new player, who asks with `POST /v1/games/{id}/seats`. Then accept.",
        "Dai il codice della sostituzione al nuovo giocatore, che chiede il posto con `POST /v1/games/{id}/seats`. Poi accetta." }
    PAUSE_ALREADY_REQUESTED "pause_already_requested" CONFLICT {
        "You have already asked for a pause", "Hai già chiesto una pausa";
        "The game pauses once all players have asked.",
        "La partita si ferma quando tutti l'hanno chiesta." }
    NO_PAUSE_REQUEST "no_pause_request" CONFLICT {
        "You have no pause request to withdraw", "Non hai richieste di pausa da ritirare";
        "Only a player who asked for a pause can withdraw the request, which also ends a pause.",
        "Solo chi ha chiesto una pausa può ritirare la richiesta, e così terminare la pausa." }
    TOO_MANY_ENTRIES "too_many_entries" CONFLICT {
        "Too many actions since the last move", "Troppe azioni dall'ultima mossa";
        "Between two moves a seat can change keys, take back, ask for a pause and so on only a few times. Try again after the next move.",
        "Fra due mosse si possono cambiare chiavi, annullare, chiedere pause e così via solo poche volte. Riprova dopo la prossima mossa." }
    TOO_MANY_TOKENS "too_many_tokens" CONFLICT {
        "Too many tokens", "Troppi token";
        "Revoke a token that you no longer use (`DELETE /v1/me/tokens/{id}`), then create a new one.",
        "Revoca un token che non usi più (`DELETE /v1/me/tokens/{id}`), poi creane uno nuovo." }
    TOO_MANY_BLOCKS "too_many_blocks" CONFLICT {
        "Too many blocks", "Troppi blocchi";
        "Unblock a player first (`DELETE /v1/me/blocks/{id}`).",
        "Prima sblocca un giocatore (`DELETE /v1/me/blocks/{id}`)." }
    TOO_MANY_WEBHOOKS "too_many_webhooks" CONFLICT {
        "Too many webhooks", "Troppi webhook";
        "Delete a webhook that you no longer need, then add a new one.",
        "Elimina un webhook che non serve più, poi aggiungine uno nuovo." }
    WEBHOOK_NOT_CONFIRMED "webhook_not_confirmed" CONFLICT {
        "The webhook is not confirmed", "Il webhook non è confermato";
        "`POST .../test` sends a test message. A program confirms by returning its `challenge`; a person sends its code with `PATCH` (`code`).",
        "`POST .../test` invia un messaggio di prova. Un programma conferma restituendo il `challenge`; una persona invia il codice con `PATCH` (`code`)." }
    TOO_MANY_GAMES "too_many_games" CONFLICT {
        "Too many games", "Troppe partite";
        "You have reached the number of unfinished games that a player may have. Finish or leave one first.",
        "Hai raggiunto il numero massimo di partite non finite. Prima finiscine o lasciane una." }
    TOO_MANY_CHANGES "too_many_changes" CONFLICT {
        "Too many players joined and left", "Troppi ingressi e uscite";
        "The number of changes at one table is limited. Create a new game.",
        "Il numero di cambi a un tavolo è limitato. Crea una nuova partita." }
    PAYLOAD_TOO_LARGE "payload_too_large" PAYLOAD_TOO_LARGE {
        "Body too large", "Corpo troppo grande";
        "A request body may be up to 64 KiB, or 16 MiB at `/v1/audits`, unless this server sets other limits.",
        "Il corpo di una richiesta può arrivare a 64 KiB, o a 16 MiB per `/v1/audits`, salvo altri limiti di questo server." }
    UNSUPPORTED_MEDIA_TYPE "unsupported_media_type" UNSUPPORTED_MEDIA_TYPE {
        "The body must be JSON", "Il corpo dev'essere JSON";
        "Send the body with `Content-Type: application/json`.",
        "Invia il corpo con `Content-Type: application/json`." }
    ILLEGAL_COMMAND "illegal_command" UNPROCESSABLE_ENTITY {
        "Illegal command", "Mossa non valida";
        "The rules forbid this command. `rule` is the number of a heading in `/v1/rulesets/{id}/rules`. Nothing was changed.",
        "Le regole vietano questo comando. `rule` è il numero di un titolo in `/v1/rulesets/{id}/rules`. Nulla è cambiato." }
    COMMAND_NOT_LAST "command_not_last" UNPROCESSABLE_ENTITY {
        "This command must be the last", "Questo comando dev'essere l'ultimo";
        "A command that draws, reveals or passes the turn must be the last in the list. `index` is its position, from 0. Nothing was changed.",
        "Un comando che pesca, rivela o passa il turno dev'essere l'ultimo dell'elenco. `index` è la sua posizione, da 0. Nulla è cambiato." }
    INVALID_SIGNATURE "invalid_signature" UNPROCESSABLE_ENTITY {
        "Invalid signature", "Firma non valida";
        "A seat with keys must sign every move with one of them; a seat without keys must not sign. `expected` is the SHA-256 of the message to sign (`F(..)` in `/v1/fairlog`), `seq` the newest entry.",
        "Chi ha chiavi deve firmare ogni mossa con una di esse; chi non ne ha non deve firmare. `expected` è lo SHA-256 del messaggio da firmare (`F(..)` in `/v1/fairlog`), `seq` l'ultima voce." }
    NOT_YOUR_TURN "not_your_turn" CONFLICT {
        "It is not your turn", "Non è il tuo turno";
        "Another seat has to decide first; `to_act` in the view says which. The command itself may be legal later.",
        "Prima deve decidere un altro giocatore; `to_act` nella vista dice quale. Il comando in sé può essere valido più tardi." }
    NOTHING_TO_REVEAL "nothing_to_reveal" CONFLICT {
        "Nothing to reveal", "Nulla da rivelare";
        "You sent no `entropy_commit` when you joined, or you have already revealed your bytes.",
        "Non hai inviato un `entropy_commit` entrando, o hai già rivelato i tuoi byte." }
    ENTROPY_MISMATCH "entropy_mismatch" UNPROCESSABLE_ENTITY {
        "Wrong random bytes", "Byte casuali errati";
        "The bytes do not match the `entropy_commit` that you sent when you joined.",
        "I byte non corrispondono all'`entropy_commit` inviato entrando." }
    COMMITMENT_REUSED "commitment_reused" UNPROCESSABLE_ENTITY {
        "Commitment already used", "Impegno già usato";
        "Another seat of this game has the same `entropy_commit`. Draw 32 new random bytes.",
        "Un altro giocatore della partita ha lo stesso `entropy_commit`. Genera 32 nuovi byte casuali." }
    IDEMPOTENCY_KEY_REUSED "idempotency_key_reused" UNPROCESSABLE_ENTITY {
        "Idempotency key already used", "Chiave di idempotenza già usata";
        "The key was used for a different request in the last 24 hours. Use a new key.",
        "La chiave è stata usata per un'altra richiesta nelle ultime 24 ore. Usane una nuova." }
    RATE_LIMITED "rate_limited" TOO_MANY_REQUESTS {
        "Too many requests", "Troppe richieste";
        "`limit` names the limit that was reached; `quota` and `window` give its size. Wait for the seconds in `Retry-After`.",
        "`limit` indica il limite raggiunto, `quota` e `window` la sua misura. Attendi i secondi indicati in `Retry-After`." }
    BUSY "busy" SERVICE_UNAVAILABLE {
        "The server is busy", "Il server è occupato";
        "Too many writes are waiting. Send the same request again after the seconds in `Retry-After`.",
        "Troppe scritture sono in attesa. Ripeti la richiesta dopo i secondi indicati in `Retry-After`." }
    STORAGE_UNAVAILABLE "storage_unavailable" SERVICE_UNAVAILABLE {
        "The storage is unavailable", "L'archivio non è disponibile";
        "Nothing was changed and no game is lost. Games in memory can still be watched. Try again in a minute.",
        "Nulla è cambiato e nessuna partita è persa. Le partite in memoria si possono guardare. Riprova fra un minuto." }
    INTERNAL "internal" INTERNAL_SERVER_ERROR {
        "Server error", "Errore del server";
        "This is a fault of the server. Report it with the `X-Request-Id` of the answer.",
        "È un difetto del server. Segnalalo con l'`X-Request-Id` della risposta." }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::endpoints::ENDPOINTS;

    #[test]
    fn every_operation_in_a_help_text_exists() {
        let exists = |operation: &str| {
            let (method, path) = operation.split_once(' ').unwrap();
            ENDPOINTS.iter().any(|known| known.method.as_str() == method && known.path == path)
        };
        for Code { id, help, .. } in CODES {
            let quoted = help.en.split('`').chain(help.it.split('`')).filter(|part| part.contains(" /v1/"));
            for operation in quoted {
                assert!(exists(operation), "{id}: {operation}");
            }
        }
    }
}
