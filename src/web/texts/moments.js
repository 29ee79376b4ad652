// Texts of moments and warnings, English and Italian.

export const MOMENTS = {
  warn_loan: [
    'The basic costs leave you {short} short: {n|one loan|{n} loans}, −{points} points.',
    'Per i costi di base ti {short|manca|mancano} {short}: {n|un prestito|{n} prestiti}, −{points} punti.',
  ],
  warn_zone: ['An accident would cost you {harm}.', 'Un incidente ti costerebbe {harm}.'],
  warn_order: ['An accident would then cost you {harm}', 'Un incidente ti costerebbe poi {harm}'],
  warn_via: [
    'With a balance of {balance} VIA costs you {n} {n|credit|credits}; you have {has}.',
    'Con un bilancio di {balance} il VIA ti costa {n} {n|credito|crediti}; ne hai {has}.',
  ],
  points_short: ['Points', 'Punti'],
  points_public: ['plus half of the hidden cash', 'più metà dei contanti nascosti'],
  felt_accident: ['The accident cost you {lost}.', 'L’incidente ti è costato {lost}.'],
  felt_money: ['{n} cash', '{n} in contanti'],
  felt_columns: ['{n|one column|{n} columns}', '{n|una colonna|{n} colonne}'],
  felt_spared: ['The accident did you no harm.', 'L’incidente non ti ha fatto danni.'],
  felt_loan: [
    'You had to take {n|one loan|{n} loans}: −{points} points.',
    'Hai dovuto prendere {n|un prestito|{n} prestiti}: −{points} punti.',
  ],
  felt_costs: ['You paid {n} in basic costs.', 'Hai pagato {n} di costi di base.'],
  felt_sold: ['Your lot brought you {n}.', 'Il tuo lotto ti ha reso {n}.'],
  felt_waste: ['Your waste rose.', 'I tuoi rifiuti sono aumentati.'],
  felt_rent: ['Rent: {euros} euros.', 'Rendita da pagare: {euros} euro.'],
  felt_fined: ['You paid {sum}.', 'Hai pagato {sum}.'],
  felt_paid: ['You received {sum}.', 'Hai ricevuto {sum}.'],
  felt_via: ['VIA charged your balance of {n}.', 'Al VIA hai pagato per il bilancio di {n}.'],
}
