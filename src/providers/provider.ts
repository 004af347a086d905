/** What is known of a provider without reading its messages. Every replay loads this, so no code of a dialect is here. */
export interface Provider {
  /** Its hosts; `*` stands for any characters. Each counts, but for those that are `equal`. */
  hosts: readonly string[]
  /** Why its hosts are equal: the same model answers at each, and developers and CI have another region or account. */
  equal?: string
  /** The hosts that count nevertheless: each is one model, or one project. */
  but?: RegExp
  /** The variables with its key, as its own SDK reads them. */
  keys?: readonly [string, ...string[]]
  /** The header of its key, where that is not `Authorization: Bearer`. */
  keyHeader?: string
  /** The wire formats of others in which it takes its key as `Authorization: Bearer` all the same. */
  bearer?: RegExp
  /** The accounts whose keys get a stand-in where none is set; by default one, with all of its keys. */
  accounts?: readonly Account[]
  /** The variables with which programs are led elsewhere; first that of its own SDK. */
  baseUrls?: readonly string[]
  /** Where programs ask without such a variable. */
  address?: string
  /** The paths of its wire formats on any host, by the name of the dialect. */
  paths?: Readonly<Record<string, RegExp>>
  /** Of these, those whose answers hold the address of a job or of a file, which the client asks next. */
  jobs?: readonly RegExp[]
  /** Its paths whose clients expect an error to be a text, and not an object. */
  textErrors?: RegExp
  /** The headers that change what a model does, how it answers, or who answers. */
  headers?: Readonly<Record<string, HeaderReading>>
  /** The beginnings of headers of which each counts, by its digest, unless its name says that it stands beside the call. */
  families?: readonly string[]
  /** The headers that its dialects read. */
  readHeaders?: readonly string[]
  /** The places of the requests in its wire formats. */
  places?: readonly RequestPlace[]
  /** The names of its own models, their wire formats, and the address that takes them from any other format. */
  models?: { names: RegExp; speak: RegExp; address: string }
  /** The makers that stand before the name of a model: `anthropic.claude-…`. */
  makers?: readonly string[]
}

/**
 * A place of a request, by the keys that lead to it from the body; `*` is any item of a list.
 * - `call-id`: the id of a tool call, which may differ between two requests that are the same. Conditions follow it: the
 *   types of the objects that name a call, if others may stand there too, and the types of results whose call can lie at
 *   the provider.
 * - `request`: a request of any wire format, such as one of a batch.
 * - `state`: the id of something at the provider that requests read and change, such as a conversation.
 */
export type RequestPlace =
  | readonly [path: string, role: 'call-id', types?: RegExp | undefined, far?: RegExp]
  | readonly [path: string, role: 'request' | 'state']

/** Providers by OpenTelemetry's name where it has one. */
export type Providers = Readonly<Record<string, Provider>>

/**
 * How the value of a header is compared: as it stands, as a set of names, as media types, as JSON without its
 * credentials, as an address, as a host other than that of the address, as subprotocols of a socket, or by its digest.
 */
export type HeaderReading =
  | 'text'
  | 'set'
  | 'formats'
  | 'json'
  | 'address'
  | 'host'
  | 'protocols'
  | 'digest'

/** The variables of one account. None is lent if one of them or of `unless` is set. */
export interface Account {
  lend: readonly string[]
  unless?: readonly string[]
  /** What is lent, where that is no key. */
  as?: string
  /** Other programs read these variables too: lent only to tests that have a recording. */
  shared?: boolean
}

/** Why hosts are equal. */
export const REGION = 'regions of one service; the body or the path names the model'
export const RENAMED = 'an old and a new name of one service'
