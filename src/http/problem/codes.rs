//! Every code, its status, and what a person is told of it.

use actix_web::http::StatusCode;

use crate::engine::Text;

/// A kind of problem, and what a person is told of it.
pub struct Code {
    pub id: &'static str,
    pub status: StatusCode,
    pub title: Text,
    /// What it means and what to do.
    pub help: Text,
}

/// Declares the codes, each as a constant and as a line of the table.
macro_rules! codes {
    ($($NAME:ident $id:literal $STATUS:ident { $en:literal, $it:literal; $help_en:literal, $help_it:literal })+) => {
        $(pub const $NAME: Code = Code {
            id: $id,
            status: StatusCode::$STATUS,
            title: Text { en: $en, it: $it },
            help: Text { en: $help_en, it: $help_it },
        };)+

        /// Every code there is.
        pub const CODES: &[Code] = &[$($NAME),+];
    };
}

codes! {
    MALFORMED "malformed" BAD_REQUEST {
        "The request is malformed", "La richiesta è malformata";
        "Something in the request has not the form that the API gives. `errors` names each field of the body that is wrong (`pointer`) and what belongs there; `detail` says it in a sentence.",
        "Qualcosa nella richiesta non ha la forma prevista dall'API. `errors` indica ogni campo sbagliato del corpo (`pointer`) e che cosa ci va; `detail` lo dice in una frase." }
    UNAUTHORIZED "unauthorized" UNAUTHORIZED {
        "A valid token is needed", "Serve un token valido";
        "Send `Authorization: Bearer <token>`. A token is shown once, when it is made. If it is lost, `POST /v1/recoveries` takes the recovery code.",
        "Invia `Authorization: Bearer <token>`. Un token si vede una volta sola, quando viene creato. Se va perso, `POST /v1/recoveries` accetta il codice di recupero." }
    INSUFFICIENT_SCOPE "insufficient_scope" FORBIDDEN {
        "The token is not good for this", "Il token non basta per questo";
        "`scope` says what it lacks: `read` to look, `play` to play, `account` for the rest. A token of one game begins no other. Use another token, or make one (`POST /v1/me/tokens`).",
        "`scope` dice che cosa gli manca: `read` per guardare, `play` per giocare, `account` per il resto. Un token di una partita non ne comincia altre. Usane un altro, o creane uno (`POST /v1/me/tokens`)." }
    WRONG_CODE "wrong_code" FORBIDDEN {
        "The code is not valid", "Il codice non è valido";
        "A recovery code is good until the token that it brought is used, a code for another device once and for ten minutes. Look again at what you copied, or ask for a new one.",
        "Un codice di recupero vale finché non si usa il token che ha dato, un codice per un altro dispositivo una volta sola e per dieci minuti. Ricontrolla ciò che hai copiato, o chiedine uno nuovo." }
    NOT_SEATED "not_seated" FORBIDDEN {
        "You do not sit at this game", "Non siedi a questa partita";
        "Only the players of a game may do this. You can watch it, and join it while it is open.",
        "Solo chi gioca può farlo. Puoi guardare la partita, e unirti finché è aperta." }
    NOT_CREATOR "not_creator" FORBIDDEN {
        "Only the host may do this", "Può farlo solo chi ospita";
        "A game is called off by the player who created it or, if that one has left, by who has sat there longest. You may leave it while it is open.",
        "Una partita può annullarla chi l'ha creata o, se se n'è andato, chi vi siede da più tempo. Tu puoi lasciarla finché è aperta." }
    WRONG_INVITE "wrong_invite" FORBIDDEN {
        "The invite is wrong", "L'invito è sbagliato";
        "This game is joined with an invite, which its seated players can see in the game resource.",
        "A questa partita ci si unisce con un invito, che chi siede al tavolo vede nella risorsa della partita." }
    SEATS_KEPT "seats_kept" FORBIDDEN {
        "The seats are kept for others", "I posti sono riservati";
        "A rematch is for those who played the game before. Create a game of your own.",
        "Una rivincita è per chi ha giocato la partita di prima. Crea una partita tua." }
    NOT_PINNED_YET "not_pinned_yet" NOT_FOUND {
        "Not in the public tree yet", "Non ancora nell'albero pubblico";
        "A checkpoint of the tree is made some seconds after something moved. Ask again after the seconds in `Retry-After`.",
        "Un checkpoint dell'albero si fa alcuni secondi dopo che qualcosa si è mosso. Richiedi dopo i secondi in `Retry-After`." }
    REPLAY_SEALED "replay_sealed" FORBIDDEN {
        "The replay is still sealed", "Il replay è ancora sigillato";
        "The whole replay, with its secrets, opens when the game has ended. Until then follow the public chain at `/v1/games/{id}/log`.",
        "Il replay completo, con i suoi segreti, si apre a partita finita. Fino ad allora segui la catena pubblica in `/v1/games/{id}/log`." }
    NOT_FOUND "not_found" NOT_FOUND {
        "There is nothing here", "Qui non c'è nulla";
        "No such path, or nothing there that you may see. A private game is there for its players only.",
        "Il percorso non esiste, oppure non c'è nulla che tu possa vedere. Una partita privata esiste solo per chi vi siede." }
    METHOD_NOT_ALLOWED "method_not_allowed" METHOD_NOT_ALLOWED {
        "This method does not work here", "Questo metodo qui non funziona";
        "The path is right and the method is not: the header `Allow` lists those that work.",
        "Il percorso è giusto e il metodo no: l'intestazione `Allow` elenca quelli validi." }
    NOT_ACCEPTABLE "not_acceptable" NOT_ACCEPTABLE {
        "No such representation", "Rappresentazione non disponibile";
        "The header `Accept` allows none of the media types that this path has.",
        "L'intestazione `Accept` non ammette nessuno dei tipi che questo percorso offre." }
    REQUEST_TIMEOUT "request_timeout" REQUEST_TIMEOUT {
        "The request took too long", "La richiesta ha impiegato troppo";
        "The body did not arrive in time. Send it again in one go.", "Il corpo non è arrivato in tempo. Invialo di nuovo in una volta." }
    ALREADY_SEATED "already_seated" CONFLICT {
        "You sit at this game already", "Siedi già a questa partita";
        "A player has one seat at a game.", "Un giocatore ha un solo posto a partita." }
    SEAT_TAKEN "seat_taken" CONFLICT {
        "The seat is not free", "Il posto non è libero";
        "Somebody sits there, or the table has no free seat. Look at the game again.",
        "Qualcuno vi siede già, o il tavolo non ha posti liberi. Guarda di nuovo la partita." }
    NAME_TAKEN "name_taken" CONFLICT {
        "Another bot has this name", "Un altro bot ha questo nome";
        "Bots are invited by their names, so no two have the same. Take another name (`PATCH /v1/me`).",
        "I bot si invitano per nome, quindi non ce ne sono due con lo stesso. Scegli un altro nome (`PATCH /v1/me`)." }
    BOT_REFUSES "bot_refuses" CONFLICT {
        "The bot does not take part", "Il bot non partecipa";
        "What a bot takes part in, `GET /v1/players?bot=true` says.",
        "A che cosa un bot partecipa lo dice `GET /v1/players?bot=true`." }
    GAME_NOT_OPEN "game_not_open" CONFLICT {
        "The game is not open", "La partita non è aperta";
        "People come and go only until the table is full.", "Si entra e si esce solo finché il tavolo non è completo." }
    GAME_NOT_FINISHED "game_not_finished" CONFLICT {
        "The game is not finished", "La partita non è finita";
        "A rematch can be asked for when a game has been played to its end.",
        "La rivincita si può chiedere quando una partita è stata giocata fino in fondo." }
    TOO_MANY_MESSAGES "too_many_messages" CONFLICT {
        "Enough has been said", "Si è detto abbastanza";
        "A game has room for so many messages only. Go on talking elsewhere.",
        "In una partita c'è posto solo per un certo numero di messaggi. Continuate a parlare altrove." }
    GAME_NOT_SEALED "game_not_sealed" CONFLICT {
        "The game does not wait for entropy", "La partita non aspetta entropia";
        "Promised bytes are revealed after the table is sealed and before the game starts.",
        "I byte promessi si rivelano dopo che il tavolo è stato sigillato e prima dell'inizio." }
    GAME_NOT_RUNNING "game_not_running" CONFLICT {
        "The game is not running", "La partita non è in corso";
        "Commands are taken between the start of a game and its end.", "I comandi si accettano fra l'inizio e la fine della partita." }
    RESIGNED "resigned" CONFLICT {
        "Your seat has resigned", "Il tuo posto si è ritirato";
        "A resignation cannot be taken back: the autopilot plays the seat to the end.",
        "Un ritiro non si annulla: il posto è giocato dal pilota automatico fino alla fine." }
    NOT_AUTOPILOTS "not_autopilots" CONFLICT {
        "The autopilot does not play your seat", "Il tuo posto non è del pilota automatico";
        "A seat is taken back after the autopilot was given it for three missed deadlines. Yours is in your own hands.",
        "Un posto si riprende dopo tre scadenze mancate, quando è passato al pilota automatico. Il tuo è nelle tue mani." }
    STALE_SEQ "stale_seq" CONFLICT {
        "The game has gone on", "La partita è andata avanti";
        "`expected_seq` is not the newest entry. `seq` says which one is; look at the view again and decide anew.",
        "`expected_seq` non è la voce più recente. `seq` dice qual è; guarda di nuovo la partita e decidi da capo." }
    OLD_FORMAT "old_format" CONFLICT {
        "The game is of an older format", "La partita è di un formato precedente";
        "Keys, takebacks, plans and pauses need a log of fairlog/2. A game that began under fairlog/1 (its `format`) ends under it.",
        "Chiavi, ripensamenti, piani e pause richiedono un registro fairlog/2. Una partita iniziata con fairlog/1 (il suo `format`) finisce con quello." }
    NOT_AGREED "not_agreed" CONFLICT {
        "The table did not agree on this", "Il tavolo non l'ha previsto";
        "Takebacks, substitutes and a clock are agreed on when a table is opened; the game resource says which it has.",
        "Ripensamenti, sostituti e orologio si stabiliscono aprendo il tavolo; la risorsa della partita dice quali ha." }
    NOTHING_TO_TAKE_BACK "nothing_to_take_back" CONFLICT {
        "This cannot be taken back", "Questo non si può ritirare";
        "A seat takes back what it did of its own decision alone, while nothing was drawn, shown or decided by others. The view says to which entries (`takeback`).",
        "Un posto ritira ciò che ha fatto nella propria decisione, finché nulla è stato pescato, scoperto o deciso da altri. La vista dice fino a quali voci (`takeback`)." }
    PAUSED "paused" CONFLICT {
        "The game is paused", "La partita è sospesa";
        "All who play asked for a pause. `POST /v1/games/{id}/continuations` ends it for all.",
        "Tutti hanno chiesto una pausa. `POST /v1/games/{id}/continuations` la chiude per tutti." }
    AUTOPILOTS "autopilots" CONFLICT {
        "The autopilot plays your seat", "Il pilota automatico gioca il tuo posto";
        "Take the seat back first (`POST /v1/games/{id}/resumption`), or send a command, which does so by itself.",
        "Prima riprendi il posto (`POST /v1/games/{id}/resumption`), o invia un comando, che lo fa da solo." }
    NOBODY_ASKED "nobody_asked" CONFLICT {
        "Nobody has asked for the seat", "Nessuno ha chiesto il posto";
        "Give the code of the substitution to who is to have the seat; it asks with `POST /v1/invites/{code}/seats`, and then you agree.",
        "Dai il codice della sostituzione a chi deve avere il posto; lo chiede con `POST /v1/invites/{code}/seats`, e poi tu accetti." }
    ASKS_ALREADY "asks_already" CONFLICT {
        "You ask for a pause already", "Chiedi già una pausa";
        "The game is paused as soon as all who play ask for it.", "La partita è sospesa appena tutti quelli che giocano lo chiedono." }
    ASKS_NOT "asks_not" CONFLICT {
        "You ask for no pause", "Non chiedi una pausa";
        "Only who asks for a pause can take the wish back, and so end a pause.",
        "Solo chi chiede una pausa può ritirare la richiesta, e così chiudere la pausa." }
    TOO_MANY_ENTRIES "too_many_entries" CONFLICT {
        "Your seat has written enough for now", "Il tuo posto ha scritto abbastanza";
        "Between two commands of a game a seat may change its keys, take back, pause and so on a few times only. Try again when somebody has moved.",
        "Fra due comandi di una partita un posto può cambiare chiavi, ritirare, sospendere e così via solo poche volte. Riprova dopo una mossa." }
    TOO_MANY_TOKENS "too_many_tokens" CONFLICT {
        "You have too many tokens", "Hai troppi token";
        "End one that you no longer use (`DELETE /v1/me/tokens/{id}`) before you make another.",
        "Chiudine uno che non usi più (`DELETE /v1/me/tokens/{id}`) prima di farne un altro." }
    TOO_MANY_WEBHOOKS "too_many_webhooks" CONFLICT {
        "There are too many webhooks", "Ci sono troppi webhook";
        "Take one away that is no longer needed (`DELETE`) before you add another.",
        "Togline uno che non serve più (`DELETE`) prima di aggiungerne un altro." }
    NOT_PROVED "not_proved" CONFLICT {
        "The webhook is not proved", "Il webhook non è provato";
        "`POST .../test` sends it a message. A program sends the `challenge` in it back; a person types the code in it back (`PATCH`, `code`).",
        "`POST .../test` gli manda un messaggio. Un programma rimanda il `challenge` che contiene; una persona riporta il codice (`PATCH`, `code`)." }
    TOO_MANY_GAMES "too_many_games" CONFLICT {
        "You sit at too many games", "Siedi a troppe partite";
        "Finish or leave a game before you take another seat.", "Finisci o lascia una partita prima di prendere un altro posto." }
    TOO_MANY_CHANGES "lobby_worn_out" CONFLICT {
        "Too many changes at this table", "Troppi cambi a questo tavolo";
        "Too many players have joined and left it. Create a new game.", "Troppi giocatori sono entrati e usciti. Crea una nuova partita." }
    PAYLOAD_TOO_LARGE "payload_too_large" PAYLOAD_TOO_LARGE {
        "The body is too large", "Il corpo è troppo grande";
        "A request may have 64 KiB, an upload to `/v1/audits` 16 MiB, unless this server sets other limits.",
        "Una richiesta può avere 64 KiB, un invio a `/v1/audits` 16 MiB, salvo altri limiti di questo server." }
    UNSUPPORTED_MEDIA_TYPE "unsupported_media_type" UNSUPPORTED_MEDIA_TYPE {
        "The body must be JSON", "Il corpo dev'essere JSON";
        "Send the body with `Content-Type: application/json`.", "Invia il corpo con `Content-Type: application/json`." }
    ILLEGAL_COMMAND "illegal_command" UNPROCESSABLE_ENTITY {
        "The rules forbid this command", "Le regole vietano questo comando";
        "`rule` is the number of the rule, which is a heading of the rules text at `/v1/rulesets/{id}/rules`. Nothing was changed.",
        "`rule` è il numero della regola, che è un titolo del testo in `/v1/rulesets/{id}/rules`. Nulla è cambiato." }
    NOT_LAST "not_last" UNPROCESSABLE_ENTITY {
        "The list goes on too long", "L'elenco continua troppo";
        "Of a list of commands only the last may draw chance or pass the decision to another seat. `no` says which command does so before; nothing was changed.",
        "In un elenco di comandi solo l'ultimo può pescare o passare la decisione. `no` dice quale lo fa prima; nulla è cambiato." }
    BAD_SIGNATURE "bad_signature" UNPROCESSABLE_ENTITY {
        "The signature does not do", "La firma non va bene";
        "A seat that has keys signs every move with one of them, and a seat without keys signs nothing. `expected` is the SHA-256 of the message that is to be signed (`F(..)` in `/v1/fairlog`), `seq` the newest entry.",
        "Un posto con chiavi firma ogni mossa con una di esse, uno senza non firma nulla. `expected` è lo SHA-256 del messaggio da firmare (`F(..)` in `/v1/fairlog`), `seq` l'ultima voce." }
    NOT_YOUR_TURN "not_your_turn" UNPROCESSABLE_ENTITY {
        "It is not your turn", "Non è il tuo turno";
        "Another seat must decide now: the view says which (`to_act`). Nothing is wrong with the command itself; `rule` is the rule of whose turn it is.",
        "Adesso deve decidere un altro posto: la vista dice quale (`to_act`). Il comando in sé va bene; `rule` è la regola che dice di chi è il turno." }
    NOTHING_PROMISED "nothing_promised" UNPROCESSABLE_ENTITY {
        "Nothing is to be revealed", "Non c'è nulla da rivelare";
        "Your seat promised no bytes when it joined, or has revealed them already.",
        "Il tuo posto non ha promesso byte, o li ha già rivelati." }
    WRONG_ENTROPY "wrong_entropy" UNPROCESSABLE_ENTITY {
        "These bytes were not promised", "Questi byte non sono quelli promessi";
        "The bytes must open the `entropy_commit` that was sent when the seat was taken.",
        "I byte devono aprire l'`entropy_commit` inviato prendendo posto." }
    PROMISE_COPIED "promise_copied" UNPROCESSABLE_ENTITY {
        "This promise was made before", "Questa promessa è già stata fatta";
        "`entropy_commit` stands at this table already. Each seat promises bytes of its own: draw 32 new ones.",
        "`entropy_commit` c'è già a questo tavolo. Ogni posto promette byte propri: estraine 32 nuovi." }
    IDEMPOTENCY_KEY_REUSED "idempotency_key_reused" UNPROCESSABLE_ENTITY {
        "The idempotency key was used before", "La chiave di idempotenza è già stata usata";
        "Within 24 hours a key stands for one request. Take a new one for another request.",
        "Per 24 ore una chiave vale per una sola richiesta. Usane una nuova per un'altra." }
    RATE_LIMITED "rate_limited" TOO_MANY_REQUESTS {
        "Too many requests", "Troppe richieste";
        "`limit` names the limit that was used up, `quota` and `window` its size. Wait for the seconds in `Retry-After`.",
        "`limit` indica il limite esaurito, `quota` e `window` la sua misura. Attendi i secondi in `Retry-After`." }
    BUSY "busy" SERVICE_UNAVAILABLE {
        "The server is busy", "Il server è occupato";
        "More is waiting to be written than fits. Send the same request again after the seconds in `Retry-After`.",
        "In attesa di scrittura c'è più di quanto ci stia. Ripeti la richiesta dopo i secondi in `Retry-After`." }
    STORAGE_UNAVAILABLE "storage_unavailable" SERVICE_UNAVAILABLE {
        "Nothing can be stored at present", "Al momento non si può salvare nulla";
        "The disk is full or locked. Nothing was changed; games can still be watched. Try again later.",
        "Il disco è pieno o bloccato. Nulla è cambiato; le partite si possono guardare. Riprova più tardi." }
    INTERNAL "internal" INTERNAL_SERVER_ERROR {
        "The server failed", "Il server ha fallito";
        "This is a fault of the server. Report it with the `X-Request-Id` of the answer.",
        "È un difetto del server. Segnalalo con l'`X-Request-Id` della risposta." }
}
