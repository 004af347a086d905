import { RECORD_COMMAND } from '../text/command-line.ts'
import { basename, dirname, join } from '../real/path.ts'
import type { Cassette } from '../cassette/cassette.ts'
import { decodeCassette, joined } from '../cassette/decode.ts'
import type { StoredExchange } from '../cassette/format.ts'
import { parseCassette } from '../cassette/parse.ts'
import { WRITTEN_VERSION } from '../cassette/patterns.ts'
import { adviseOnForeign } from '../cassette/parse.ts'
import { hashOfText, idOfPlace, readHash } from '../cassette/written.ts'
import { type ContextEntry, readContext } from '../conversation/context-file.ts'
import { readIsoTime } from '../conversation/context.ts'
import { readConversations, type Conversation } from '../conversation/conversation.ts'
import { entriesOfContext } from '../conversation/entries.ts'
import { findPictures, type Pictures } from '../conversation/find-pictures.ts'
import { isOtherParams } from '../conversation/step.ts'
import { CassetteError } from '../errors.ts'
import { isJsonObject, type JsonObject, type JsonValue, tryParseJson } from '../json/json-value.ts'
import { existsSync, lstatSync, readFileSync } from '../real/files.ts'
import { countOf } from '../text/count-of.ts'
import { quoteStart } from '../text/printable.ts'
import { readUtf8 } from '../wire/utf8.ts'
import { isBackupText, parseBackup } from './backup.ts'
import type { ConversationMetadata } from './conversation-metadata.ts'
import { cassetteOfStored, storedThreads, readStoredConversation } from './stored-conversation.ts'
import type { ConversationProblem } from './stored-message.ts'
import { WorkspaceFolder, type ReadConversation } from './workspace-folder.ts'
import { isRequestHash } from '../prompt/request-hash.ts'

/** The readable parts of a conversation. */
interface OpenedConversation {
  conversations: Conversation[]
  pictures: Pictures
  /** The exchanges that can be read; absent if there are none. */
  cassette?: Cassette
  problems: readonly ConversationProblem[]
  /** True when a part of it could not be read. */
  isDamaged: boolean
}

/** A conversation opened from a file at any path. A damaged one, and one of another program, has no cassette. */
interface OpenedFile extends OpenedConversation {
  title: string
  timestamp: string
  /** The entries of a context; absent for other files. */
  context?: ContextEntry[]
  /** The metadata of a stored conversation. */
  stated?: ConversationMetadata
  /** The changes made by the conversion. */
  notes: string[]
}

/** Options for reading a file. */
interface FileReading {
  /** The file is a cassette in the cassette folder, imported because a run refused its hashes. */
  isRefused?: boolean
  /** Rewrites the texts of the file before they are parsed. */
  rewrite?: (text: string) => string
}

const WHOLE = { problems: [], isDamaged: false }

const MESSAGES = 'messages.jsonl'

/** The most levels to look upwards for the folder of the pictures, the first included. */
const MAX_LEVELS = 8

/** Whether a path is a file, or the folder of a stored conversation. */
export function isConversationFile(path: string): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  return stat?.isFile() === true || existsSync(join(path, MESSAGES))
}

/**
 * Opens a context, a history or a stored conversation.
 *
 * @param path the path of the file or folder
 * @param shown the path as the user knows it
 * @throws CassetteError with the problem and its remedy, if the file cannot be read.
 */
export function openFile(path: string, shown: string, reading: FileReading = {}): OpenedFile {
  const { isRefused = false, rewrite = (text: string) => text } = reading
  const isFolder = existsSync(join(path, MESSAGES))
  if (isFolder || path.endsWith('.jsonl'))
    return openMessages(isFolder ? join(path, MESSAGES) : path, rewrite)
  const text = rewrite(readText(path, shown))
  // A context is a list.
  if (!/^\uFEFF?\s*\{/.test(text)) return openContext(readContextOf(text, shown), path)
  if (isBackupText(text)) return openBackup(text, shown)
  try {
    const { cassette, notes } = readHistory(text, (name) => readBlob(path, name), isRefused)
    const { conversationId: title, timestamp, exchanges } = cassette
    const conversations = readConversations(cassette)
    const pictures = findPictures(exchanges)
    return { title, timestamp, conversations, pictures, cassette, notes, ...WHOLE }
  } catch (error) {
    if (!CassetteError.isInstance(error)) throw error
    const advice = adviseOnFile(text) ?? adviseOnForeign(text)
    const problem = `The cassette ${shown} cannot be read: ${error.message}.`
    const whole = advice === undefined ? problem : `${problem}\n${advice}`
    throw new CassetteError('invalid-cassette', whole, { cause: error })
  }
}

function readContextOf(text: string, shown: string): ContextEntry[] {
  try {
    return readContext(text, shown)
  } catch (error) {
    const advice = adviseOnFile(text)
    const isList = /^\uFEFF?\s*\[/.test(text)
    if (!CassetteError.isInstance(error) || (isList && advice === undefined)) throw error
    const problem = `${shown} is neither a history nor a context${isList ? '.' : ': it is no JSON.'}`
    const whole = advice === undefined ? problem : `${problem}\n${advice}`
    throw new CassetteError('invalid-context', whole, { cause: error })
  }
}

function openContext(context: ContextEntry[], path: string): OpenedFile {
  const title = basename(path, '.json')
  return {
    title,
    timestamp: context.at(-1)?.timestamp ?? '',
    conversations: [{ thread: 'thread-1', entries: entriesOfContext(context, title), steps: [] }],
    pictures: new Map(),
    context,
    ...WHOLE,
    notes: [],
  }
}

function openBackup(text: string, shown: string): OpenedFile {
  const { blobs, ...stored } = parseBackup(text, shown)
  const load = (name: string): Buffer => {
    const bytes = blobs.get(name)
    if (bytes) return bytes
    throw new CassetteError(
      'invalid-conversation',
      `it needs the picture ${name}, which is not in it`,
    )
  }
  return openedFrom(stored, load)
}

function openMessages(path: string, rewrite: (text: string) => string): OpenedFile {
  const folder = dirname(path)
  const beside = join(folder, 'metadata.json')
  const metadataText = existsSync(beside) ? rewrite(readText(beside, beside)) : undefined
  const id = basename(path) === MESSAGES ? basename(folder) : basename(path, '.jsonl')
  const lines = readText(path, path).split('\n').map(rewrite)
  const stored = readStoredConversation(id, metadataText, lines.join('\n'), folder)
  return openedFrom(stored, (name) => readBlob(path, name))
}

function openedFrom(stored: ReadConversation, load: (name: string) => Buffer): OpenedFile {
  const { cassette, ...opened } = openConversation(stored, load)
  const { title, updated_at: timestamp } = stored.metadata
  const whole = cassette && !opened.isDamaged ? { cassette } : {}
  return { title, timestamp, notes: [], stated: stored.metadata, ...opened, ...whole }
}

function readText(path: string, shown: string): string {
  let bytes: Buffer
  try {
    bytes = readFileSync(path)
  } catch (error) {
    const problem = `${shown} cannot be read: ${(error as Error).message}`
    throw new CassetteError('invalid-context', problem)
  }
  const text = readUtf8(bytes)
  if (text !== undefined) return text
  throw new CassetteError('invalid-context', `${shown} cannot be read: it is not UTF-8`)
}

/** Reads a picture from the folder `blobs`: beside a stored conversation, or above a cassette. */
function readBlob(path: string, name: string): Buffer {
  let folder = dirname(path)
  for (let level = 0; level < MAX_LEVELS; level++) {
    const file = join(folder, 'blobs', basename(name))
    if (lstatSync(file, { throwIfNoEntry: false })?.isFile()) return readFileSync(file)
    folder = dirname(folder)
  }
  throw new CassetteError('invalid-cassette', `it needs the file blobs/${name}`)
}

const ONE_EACH = 'A cassette is one conversation: put each into a file of its own, and import that.'

/**
 * Advises on the text of a file that is neither a history nor a context, by what it seems to be; `undefined` if it
 * seems to be one that is only wrong in a detail.
 */
function adviseOnFile(text: string): string | undefined {
  const value = tryParseJson(text.replace(/^\uFEFF/, ''))
  if (value === undefined) return adviseOnLines(text)
  if (Array.isArray(value)) return adviseOnList(value)
  if (!isJsonObject(value) || 'trajectory' in value) return undefined
  const isHistory = ['version', 'conversation_id', 'exchanges'].some((name) => name in value)
  if (isHistory) return undefined
  return (
    'It is none of the files that can be read: a history has version, conversation_id, timestamp and exchanges; ' +
    'a context is a list of entries; a stored conversation has metadata and messages. docs/conversations.md shows each.'
  )
}

/** Lines that each hold JSON: messages of one conversation, or several conversations. */
function adviseOnLines(text: string): string | undefined {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '')
  const values = lines.map((line) => tryParseJson(line.replace(/^\uFEFF/, '')))
  if (lines.length < 2 || !values.every((value) => typeof value === 'object')) return undefined
  if (values.every((value) => isJsonObject(value) && 'role' in value))
    return 'Each of its lines is a message. Stored messages are read from files whose names end in .jsonl; a context is one list: [ … ].'
  return `Each of its ${lines.length} lines is JSON. ${ONE_EACH}`
}

function adviseOnList(list: readonly JsonValue[]): string | undefined {
  if (list.length === 0) return undefined
  if (list.every((one) => isJsonObject(one) && one.type === 'tool_use' && 'input' in one))
    return `It holds the actions of an agent, and no prompt that a request could be compared with. Record the test once: ${RECORD_COMMAND}`
  if (list.every((one) => Array.isArray(one) || (isJsonObject(one) && 'exchanges' in one)))
    return `It is a list of ${countOf(list.length, 'conversation')}. ${ONE_EACH}`
  return undefined
}

/** A history file, converted to the spelling of this package. */
interface ReadHistory {
  cassette: Cassette
  /** The changes made by the conversion, one sentence each. */
  notes: string[]
}

/**
 * Reads a history file of any tool. Other spellings are converted to those of this package, each with a note.
 *
 * @param load reads a file of its `blobs` folder
 * @param isRefused whether to replace every hash that is not that of its text, as a run refused it
 * @throws CassetteError `invalid-cassette`; its message is the problem without advice.
 */
export function readHistory(
  text: string,
  load: (name: string) => Buffer,
  isRefused: boolean = false,
): ReadHistory {
  const notes: string[] = []
  const stored = parseCassette(withOurSpellings(text, notes))
  if (stored.exchanges.length === 0)
    throw new CassetteError(
      'invalid-cassette',
      'its list of exchanges is empty; there is nothing to replay',
    )
  // In later versions a hash may be that of a whole request, which cannot be checked without the request.
  const keepsRequests = stored.version !== WRITTEN_VERSION && !isRefused
  const exchanges = stored.exchanges.map((exchange, index) =>
    withOurHash(exchange, index, notes, keepsRequests),
  )
  return { cassette: decodeCassette({ ...stored, exchanges }, load), notes }
}

/** Replaces a hash by which a hand-written exchange cannot be matched with the hash of its text. */
function withOurHash(
  exchange: StoredExchange,
  index: number,
  notes: string[],
  keepsRequests: boolean,
): StoredExchange {
  if (exchange.request) return exchange
  const { prompt } = exchange
  const id = exchange.id ?? idOfPlace(index)
  const metadata = Object.entries((prompt.metadata ?? {}) as JsonObject)
  if (metadata.some(([name, value]) => isOtherParams(name, value)))
    notes.push(`${id}: other_params stands for further parameters; none of these is compared.`)
  if (prompt.hash === undefined) return exchange
  const ours = hashOfText(joined(prompt.text))
  const read = readHash(prompt.hash)
  if (prompt.hash === ours) return exchange
  const isOfRequest = read !== ours && (read === prompt.hash || isRequestHash(prompt.hash))
  if (isOfRequest && keepsRequests) return exchange
  const given = `the hash ${quoteStart(prompt.hash)}`
  const why = read ? 'is not that of its text' : 'is none'
  notes.push(
    read === ours
      ? `${id}: ${given} is now spelled ${ours}.`
      : `${id}: ${given} ${why}; that of its text is in its place: ${ours}.`,
  )
  return { ...exchange, prompt: { ...prompt, hash: ours } }
}

const OUR_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?Z$/

/**
 * Converts a history file as other programs spell it to the spelling of this package: its version, its date, fields
 * that are `null`, and parameters that are a text of JSON.
 *
 * @param notes gets a sentence for each change that a person may want to know
 */
function withOurSpellings(text: string, notes: string[]): string {
  // The parser of cassettes reports invalid JSON.
  const value = tryParseJson(text.replace(/^\uFEFF/, ''))
  if (!isJsonObject(value)) return text
  const { exchanges } = value
  const ours = {
    ...value,
    ...ourVersion(value.version, notes),
    ...ourDate(value.timestamp, notes),
    ...(Array.isArray(exchanges)
      ? { exchanges: exchanges.map((exchange, index) => ourExchange(exchange, index, notes)) }
      : {}),
  }
  return JSON.stringify(ours)
}

function ourVersion(version: JsonValue | undefined, notes: string[]): JsonObject {
  if (typeof version !== 'string' || version === WRITTEN_VERSION || !/^1(\.0){0,2}$/.test(version))
    return {}
  notes.push(`The version ${version} is now ${WRITTEN_VERSION}.`)
  return { version: WRITTEN_VERSION }
}

/** Converts a timestamp, with or without a time zone, to UTC. */
function ourDate(timestamp: JsonValue | undefined, notes: string[]): JsonObject {
  if (typeof timestamp !== 'string' || OUR_TIME.test(timestamp)) return {}
  const time = readIsoTime(timestamp.replace(/^([\d-]+) /, '$1T'))
  if (Number.isNaN(time)) return {}
  const ours = new Date(time).toISOString()
  notes.push(`The timestamp ${timestamp} is now ${ours}.`)
  return { timestamp: ours }
}

/** Recorded exchanges are left alone: only this package writes them. */
function ourExchange(exchange: JsonValue, index: number, notes: string[]): JsonValue {
  if (!isJsonObject(exchange) || exchange.wire !== undefined) return exchange
  const { id, prompt, response, ...others } = exchange
  const name = typeof id === 'string' ? id : idOfPlace(index)
  return withoutNulls({
    id,
    ...(isJsonObject(prompt) ? { prompt: withoutNulls(prompt) } : { prompt }),
    ...(isJsonObject(response) ? { response: ourResponse(response, name, notes) } : { response }),
    ...others,
  })
}

function ourResponse(response: JsonObject, name: string, notes: string[]): JsonObject {
  const ours = withoutNulls(response)
  const { tool_calls: calls } = ours
  if (!Array.isArray(calls)) return ours
  return { ...ours, tool_calls: calls.map((call) => ourCall(call, name, notes)) }
}

/** Some providers send parameters as a text of JSON. Replayed as they stand, they would be in quotes twice. */
function ourCall(call: JsonValue, name: string, notes: string[]): JsonValue {
  if (!isJsonObject(call) || typeof call.parameters !== 'string') return call
  const parameters = tryParseJson(call.parameters)
  if (!isJsonObject(parameters)) return call
  notes.push(
    `${name}: the parameters of ${String(call.tool_name)} were a text of JSON; they are now an object.`,
  )
  return { ...call, parameters }
}

/** Some programs write every field, and `null` into the unused. */
function withoutNulls(fields: Partial<JsonObject>): JsonObject {
  const given = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined)
  return Object.fromEntries(given) as JsonObject
}

/**
 * Opens a stored conversation by its id.
 *
 * @throws CassetteError `invalid-conversation` for an id that does not exist.
 */
export function openStored(
  id: string,
  store: string,
  directory: string,
): OpenedConversation & { metadata: ConversationMetadata } {
  const folder = new WorkspaceFolder(store, directory)
  const stored = folder.read(id)
  const opened = openConversation(stored, (name) => folder.readBlob(id, name))
  return { metadata: stored.metadata, ...opened }
}

/**
 * Reads a stored conversation from its exchanges if they are complete, otherwise from its message lines.
 *
 * @param load reads a file of its `blobs` folder
 */
function openConversation(
  stored: ReadConversation,
  load: (name: string) => Buffer,
): OpenedConversation {
  const whole = cassetteOfStored(stored, load)
  const problems = [...stored.problems, ...(whole?.problems ?? [])]
  // Metadata can be computed again; a lost line cannot.
  const isDamaged = problems.some(({ file }) => file !== 'metadata.json')
  const cassette = whole?.cassette
  if (!cassette || isDamaged)
    return {
      conversations: storedThreads(stored),
      pictures: new Map(),
      ...(cassette && cassette.exchanges.length > 0 ? { cassette } : {}),
      problems,
      isDamaged,
    }
  const pictures = findPictures(cassette.exchanges)
  return { conversations: readConversations(cassette), pictures, cassette, problems, isDamaged }
}
