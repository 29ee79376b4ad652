// Names for what the API says, as its document has it. They are read by the checker of types alone.

import type { components } from 'playledger-api'

type Schemas = components['schemas']

export type Game = Schemas['Game']
export type InvitedGame = Schemas['InvitedGame']
export type View = Schemas['View']
export type EventItem = Schemas['EventItem']
export type LegalCommand = Schemas['LegalCommand']
export type Moves = Schemas['Moves']
export type Catalogue = Schemas['RulesetCatalogue']
export type Ruleset = Schemas['Ruleset']
export type Draft = Schemas['Draft']
export type Exploration = Schemas['Exploration']
export type Message = Schemas['Message']
export type Report = Schemas['Report']
export type Notifications = Schemas['Notifications']
export type Webhook = Schemas['Webhook']
export type App = Schemas['App']
export type Server = Schemas['Server']
export type Block = Schemas['Block']
export type OperatorAct = Schemas['OperatorAct']
export type PlayerReport = Schemas['PlayerReport']
export type KnownPlayer = Schemas['KnownPlayer']
export type ConsentRequest = Schemas['ConsentRequest']
export type Delivery = Schemas['Delivery']

/** What an element may hold; of lists, what they hold. */
export interface Children extends Array<Child> {}
export type Child = string | number | false | null | undefined | Element | Children
export interface Element {
  tag: string
  attrs: Record<string, any>
  children: (Element | string)[]
  key: string | undefined
}
