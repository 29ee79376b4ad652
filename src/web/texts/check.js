// Texts of the page that verifies games.

/** @satisfies {Record<string, [string, string]>} */
export const CHECK = {
  check_title: ['Check a game', 'Verifica una partita'],
  check_intro: [
    'Drop a game file here, from any server. Your browser checks it; only the rules are replayed by the server.',
    'Trascina qui il file di una partita, da qualsiasi server. La verifica avviene nel tuo browser; solo le regole le controlla il server.',
  ],
  check_file: ['Game file and receipts', 'File della partita e ricevute'],
  check_receipts: ['Receipts', 'Ricevute'],
  check_receipts_help: [
    'Paste receipts here, one after another.',
    'Incolla qui le ricevute, una dopo l’altra.',
  ],
  check_keys: ['Trusted keys', 'Chiavi attendibili'],
  check_keys_help: [
    'Keys of the server, one per line. This server’s key is filled in. For another server, get the key from someone you trust.',
    'Chiavi del server, una per riga. Quella di questo server c’è già. Per un altro server, fattela dare da qualcuno di cui ti fidi.',
  ],
  check_foreign: [
    'Another server signed this game. Add its key to check the signatures.',
    'Questa partita è firmata da un altro server. Aggiungi la sua chiave per verificare le firme.',
  ],
  check_tree_keys: ['Keys of public trees and witnesses', 'Chiavi di alberi pubblici e testimoni'],
  check_go: ['Verify', 'Verifica'],
  check_working: ['Verifying…', 'Verifica in corso…'],
  check_no_file: ['Choose a game file first.', 'Scegli prima il file di una partita.'],
  check_wrong_file: [
    '“{name}” is neither a game file nor a receipt.',
    '«{name}» non è né il file di una partita né una ricevuta.',
  ],
  check_previous: [
    'This is a rematch of {game}, which ended with the head {head}. Verify that game too.',
    'Questa è la rivincita di {game}, terminata con la testa {head}. Verifica anche quella partita.',
  ],
  check_download: ['Download the game file', 'Scarica il file della partita'],
  stamp_holds: ['This game is consistent', 'Questa partita è coerente'],
  stamp_open: [
    'This game is consistent, but its server’s signatures were not checked',
    'Questa partita è coerente, ma le firme del suo server non sono state verificate',
  ],
  check_other_game: [
    'The server returned a different game from the one requested.',
    'Il server ha restituito una partita diversa da quella richiesta.',
  ],
  check_unread: [
    '{n|One receipt|{n} receipts} could not be read and {n|was|were} ignored.',
    '{n|Una ricevuta illeggibile è stata ignorata|{n} ricevute illeggibili sono state ignorate}.',
  ],
  stamp_fails: [
    'This game was altered, or its signatures are wrong',
    'Questa partita è stata alterata, o le firme sono errate',
  ],
  stamp_counts: [
    '{holds} passed, {fails} failed, {open} not run',
    '{holds} {holds|superata|superate}, {fails} {fails|fallita|fallite}, {open} non {open|eseguita|eseguite}',
  ],
  holds: ['passed', 'superata'],
  fails: ['FAILED', 'FALLITA'],
  not_run: ['not run', 'non eseguita'],
  by_browser: ['in your browser', 'nel tuo browser'],
  by_server: ['by the server', 'dal server'],
  at_entry: ['Entry {seq}: {why}', 'Voce {seq}: {why}'],
  save_evidence: ['Save the evidence', 'Salva le prove'],
  name_in_format: ['Name in the format: {name}', 'Nome nel formato: {name}'],
  no_proof_title: ['What no check can prove', 'Che cosa nessuna verifica può provare'],
  no_proof: [
    'That the operator did not look at the cards: the server must know them to run the game. That the operator did not cancel tables it disliked (though cancelled tables stay visible). That the server’s clock was right. Who used a key or a keyboard. That a plan was not withdrawn. That a request without a receipt never arrived.',
    'Che il gestore non abbia guardato le carte: il server deve conoscerle per condurre la partita. Che non abbia annullato tavoli sgraditi: quelli annullati restano visibili. Che l’orologio del server fosse giusto. Chi abbia usato una chiave o una tastiera. Che un piano non sia stato ritirato. Che una richiesta senza ricevuta non sia mai arrivata.',
  ],
  claim_canonical: [
    'There is exactly one file of this game, and nothing is hidden in it.',
    'Di questa partita esiste un solo file, e nulla vi è nascosto.',
  ],
  claim_commitment: [
    'The server fixed its part of the shuffle before anyone joined.',
    'Il server ha fissato la sua parte del mescolamento prima che qualcuno entrasse.',
  ],
  claim_chain: [
    'Nothing was changed, removed, inserted or moved.',
    'Nulla è stato cambiato, tolto, inserito o spostato.',
  ],
  claim_receipts: [
    'The server signed this history, and every receipt given agrees with it.',
    'Il server ha firmato questo registro, e ogni ricevuta fornita concorda.',
  ],
  claim_entropy: [
    'The shuffle was fixed when the table was full.',
    'Il mescolamento è stato fissato quando il tavolo si è completato.',
  ],
  claim_draws: [
    'Every card and die follows from that shuffle.',
    'Ogni carta e ogni tiro di dadi deriva da quel mescolamento.',
  ],
  claim_signatures: ['The players made these moves.', 'Queste mosse le hanno fatte i giocatori.'],
  claim_log_proofs: [
    'The game is in the server’s public tree, which anyone can watch.',
    'La partita è nell’albero pubblico del server, che chiunque può sorvegliare.',
  ],
  claim_rules: ['The game was played by the rules.', 'La partita è stata giocata secondo le regole.'],
  claim_clock: [
    'No player was timed out too early, by the times in the game.',
    'Nessun giocatore è stato dichiarato fuori tempo in anticipo, secondo gli orari della partita.',
  ],
  claim_cosigned_time: [
    'The server’s clock was not ahead of the witnesses’.',
    'L’orologio del server non era avanti rispetto a quello dei testimoni.',
  ],
  who_signed: ['Who signed', 'Chi ha firmato'],
  from_entry: ['(from entry {seq})', '(dalla voce {seq})'],
  seat_of_bot: ['is a bot of the server ({level}).', 'è un bot del server ({level}).'],
  seat_unsigned: [
    'signed nothing: only the server vouches for these moves.',
    'non ha firmato nulla: queste mosse le garantisce solo il server.',
  ],
  proved_all: [
    'signed every move with a key that you can trust.',
    'ha firmato ogni mossa con una chiave di cui ti puoi fidare.',
  ],
  proved_some: [
    'signed moves with a key that you can trust, but not all.',
    'ha firmato alcune mosse con una chiave di cui ti puoi fidare, ma non tutte.',
  ],
  proved_none: [
    'signed with keys that you cannot trace to the player: the server named them.',
    'ha firmato con chiavi che non puoi ricondurre al giocatore: le ha indicate il server.',
  ],
  keys_of_seat: ['Keys', 'Chiavi'],
  player_id: ['Player:', 'Giocatore:'],
  key_join: ['Entry {seq}, joined with', 'Voce {seq}, entrato con'],
  key_hand: ['Entry {seq}, took the seat with', 'Voce {seq}, subentrato con'],
  key_device: ['Entry {seq}, linked device', 'Voce {seq}, dispositivo collegato'],
  key_rekey: [
    'Entry {seq}, replaced on the server’s word by',
    'Voce {seq}, sostituita sulla parola del server da',
  ],
  key_revoke: ['Entry {seq}, revoked', 'Voce {seq}, revocata'],
  no_key: ['no key', 'nessuna chiave'],
  notable: ['What else you should know', 'Che altro devi sapere'],
  notable_rekey: [
    'Entry {seq}: seat {n} got other keys without the consent of the earlier ones.',
    'Voce {seq}: il posto {n} ha avuto altre chiavi senza il consenso delle precedenti.',
  ],
  notable_revoke: [
    'Entry {seq}: seat {n} revoked keys.',
    'Voce {seq}: il posto {n} ha revocato delle chiavi.',
  ],
  notable_remove: [
    'Entry {seq}: the operator removed the player of seat {n}.',
    'Voce {seq}: il gestore ha escluso il giocatore del posto {n}.',
  ],
  notable_outage: [
    'Entry {seq}: the server was out of reach for {minutes} min; this time does not count.',
    'Voce {seq}: il server non era raggiungibile per {minutes} min; questo tempo non conta.',
  ],
  notable_halted: [
    'Entry {seq}: the operator ended the game without a result.',
    'Voce {seq}: il gestore ha concluso la partita senza risultato.',
  ],
}
