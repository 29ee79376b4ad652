//! The tables of section 13: territories and event cards.

use super::{
    cards::Action::{
        Biodiversity as B, EnergySaving as E, GreenBuilding as G, PublicTransport as P, RenewableEnergy as N,
        SustainableMobility as M, WasteSorting as R, WaterSaving as W,
    },
    rows::{event_cards, territories},
};

// Three territories an area, in the order of the areas and of the squares.
//
// Territory               id                            name                          price cost slots      rents with 0 to 4 actions      bonus
#[rustfmt::skip]
territories! {
    Sestola                  = "sestola",                    "Sestola",                    600, 2, [N P W B], [200, 300, 400,  500,  700], 3;
    PavulloNelFrignano       = "pavullo_nel_frignano",       "Pavullo nel Frignano",       600, 2, [E N R G], [200, 300, 400,  500,  700], 3;
    Fanano                   = "fanano",                     "Fanano",                     500, 1, [B M G P], [100, 200, 300,  400,  500], 2;

    Pievepelago              = "pievepelago",                "Pievepelago",                500, 1, [B N W M], [100, 200, 300,  400,  500], 2;
    Guiglia                  = "guiglia",                    "Guiglia",                    500, 1, [B M R E], [100, 200, 300,  400,  500], 2;
    Zocca                    = "zocca",                      "Zocca",                      500, 1, [B W N G], [100, 200, 300,  400,  500], 2;

    Sassuolo                 = "sassuolo",                   "Sassuolo",                  1200, 4, [E W R P], [400, 500, 700, 1000, 1300], 7;
    FioranoModenese          = "fiorano_modenese",           "Fiorano Modenese",          1200, 4, [E W N R], [400, 500, 700, 1000, 1300], 7;
    Maranello                = "maranello",                  "Maranello",                 1200, 4, [M E P G], [400, 500, 700, 1000, 1300], 7;

    Campogalliano            = "campogalliano",              "Campogalliano",              600, 2, [P M E R], [200, 300, 400,  500,  700], 3;
    Carpi                    = "carpi",                      "Carpi",                      900, 3, [E P M G], [300, 400, 500,  700, 1000], 5;
    Soliera                  = "soliera",                    "Soliera",                    600, 2, [W R N B], [200, 300, 400,  500,  700], 3;

    ModenaCentro             = "modena_centro",              "Modena Centro",              900, 3, [P M G R], [300, 400, 500,  700, 1000], 5;
    ModenaVillaggioArtigiano = "modena_villaggio_artigiano", "Modena Villaggio Artigiano",  900, 3, [E G N R], [300, 400, 500,  700, 1000], 5;
    ModenaMarzaglia          = "modena_marzaglia",           "Modena Marzaglia",          1200, 4, [P M N B], [400, 500, 700, 1000, 1300], 7;

    Mirandola                = "mirandola",                  "Mirandola",                  900, 3, [E R W P], [300, 400, 500,  700, 1000], 5;
    FinaleEmilia             = "finale_emilia",              "Finale Emilia",              900, 3, [E G N W], [300, 400, 500,  700, 1000], 5;
    SanFeliceSulPanaro       = "san_felice_sul_panaro",      "San Felice sul Panaro",      600, 2, [W B R M], [200, 300, 400,  500,  700], 3;

    CastelfrancoEmilia       = "castelfranco_emilia",        "Castelfranco Emilia",        900, 3, [W R P E], [300, 400, 500,  700, 1000], 5;
    Nonantola                = "nonantola",                  "Nonantola",                  600, 2, [B M G E], [200, 300, 400,  500,  700], 3;
    Bomporto                 = "bomporto",                   "Bomporto",                   600, 2, [W B N P], [200, 300, 400,  500,  700], 3;

    Vignola                  = "vignola",                    "Vignola",                    600, 2, [B W M G], [200, 300, 400,  500,  700], 3;
    Spilamberto              = "spilamberto",                "Spilamberto",                600, 2, [R G P N], [200, 300, 400,  500,  700], 3;
    CastelvetroDiModena      = "castelvetro_di_modena",      "Castelvetro di Modena",      600, 2, [B N G M], [200, 300, 400,  500,  700], 3;
}

// Event              id               copies
#[rustfmt::skip]
event_cards! {
    SolarGrant   = "solar_grant",   2;
    RegionalFund = "regional_fund", 1;
    Ecotourism   = "ecotourism",    2;
    Fair         = "fair",          1;
    NewIdeas     = "new_ideas",     2;
    OpenSite     = "open_site",     2;
    BestPractice = "best_practice", 2;
    Inspection   = "inspection",    2;
    HeatWave     = "heat_wave",     1;
    Flood        = "flood",         1;
    CarbonMarket = "carbon_market", 1;
    Via          = "via",           1;
}
