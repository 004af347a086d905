import { basename, join, resolve } from '../real/path.ts'
import * as z from 'zod/mini'
import { writeAtomically } from '../cassette/write-file.ts'
import { isJsonObject, type JsonObject, type JsonValue, tryParseJson } from '../json/json-value.ts'
import { sha256 } from '../prompt/sha256.ts'
import { existsSync, readdirSync, realpathSync } from '../real/files.ts'
import type { ConversationProblem } from './stored-message.ts'
import type { WorkspaceFolder } from './workspace-folder.ts'

const FILE = 'index.json'

/** The most times that the index is rewritten while other writers keep changing conversations. */
const MOST_ROUNDS = 10

const placed = z.looseObject({ working_directory: z.string() })

const summary = z.looseObject({
  title: z.optional(z.string()),
  model_id: z.nullish(z.string()),
  created_at: z.string(),
  updated_at: z.string(),
  message_count: z.number(),
})

/**
 * Rewrites the index from the conversation folders until no other writer changes one meanwhile. The shape that another
 * program gave it stays, and so do the fields that it added.
 */
export async function writeIndex(folder: WorkspaceFolder): Promise<void> {
  let written: string | undefined
  let before: IndexShape | undefined
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const ids = folder.list()
    before = read(folder) ?? before
    const known = new Map(before?.entries.map((one) => [one.id, one]))
    const entries = ids.map((id) => ({
      ...untitled(known.get(id)),
      ...summarize(folder, id),
    }))
    const fields = { working_directory: directoryOf(folder) }
    const text = printIndented((before ?? NEW_INDEX).withEntries(entries, fields))
    if (text === written) return
    await writeAtomically(join(folder.folder, FILE), text)
    written = text
  }
}

function read(folder: WorkspaceFolder): IndexShape | undefined {
  return readIndex(tryParseJson(folder.text('.', FILE) ?? ''))
}

/** The problems of the index: missing, invalid, or without some of the conversations. */
export function checkIndex(folder: WorkspaceFolder): ConversationProblem[] {
  const text = folder.text('.', FILE)
  if (text === undefined && folder.list().length === 0) return []
  const listed = read(folder)
  if (!listed) {
    const problem = text === undefined ? 'it is missing' : 'it is no index'
    return [{ kind: 'bad-metadata', file: FILE, problem }]
  }
  const known = new Set(listed.entries.map(({ id }) => id))
  return folder
    .list()
    .filter((id) => !known.has(id))
    .map((id) => ({ kind: 'bad-metadata', file: FILE, problem: `${id} is not listed` }))
}

/** The working directory. If only its folder in the store is known, the files in that folder name it. */
export function directoryOf(folder: WorkspaceFolder): string {
  const { directory, folder: name } = folder.workspace
  if (basename(directory) !== name) return directory
  const places = [['.', FILE], ...folder.list().map((id) => [id, 'metadata.json'])]
  for (const [id, file] of places) {
    const known = placed.safeParse(tryParseJson(folder.text(id!, file!) ?? ''))
    if (known.success) return known.data.working_directory
  }
  return directory
}

/** What an index says of a conversation, but for its title: the metadata knows it. */
function untitled(entry: IndexEntry | undefined): IndexEntry | undefined {
  const copy = entry && { ...entry }
  delete copy?.title
  return copy
}

/** The index entry of a conversation. Its messages are read only if `metadata.json` is invalid. */
function summarize(folder: WorkspaceFolder, id: string): IndexEntry {
  const known = summary.safeParse(tryParseJson(folder.text(id, 'metadata.json') ?? ''))
  const { title, model_id, created_at, updated_at, message_count } = known.success
    ? known.data
    : folder.read(id).metadata
  return {
    id,
    ...(title === undefined || title === id ? {} : { title }),
    model_id: model_id ?? null,
    created_at,
    updated_at,
    message_count,
  }
}

/** What an index says of one conversation. */
type IndexEntry = JsonObject & { id: string }

/** An index in the shape that its program gave it. */
interface IndexShape {
  entries: IndexEntry[]
  /** The index with other entries. An index with fields of its own gets `fields`, too. */
  withEntries(entries: readonly IndexEntry[], fields: JsonObject): JsonValue
}

const FIRST = { version: '1.0' }

/** An index of this package. */
const NEW_INDEX: IndexShape = {
  entries: [],
  withEntries: (entries, fields) => ({ ...FIRST, ...fields, conversations: [...entries] }),
}

/** Entries in one place of an index, and the way back. */
interface Place {
  entries: IndexEntry[]
  put(entries: readonly IndexEntry[]): JsonValue
}

/**
 * Reads an index: `{ "conversations": … }` or what is in it alone, which is a list of entries, a list of ids, or an
 * object of entries by id. `undefined` for anything else.
 */
function readIndex(value: JsonValue | undefined): IndexShape | undefined {
  if (isJsonObject(value) && value.conversations !== undefined) {
    const place = readList(value.conversations) ?? readMap(value.conversations)
    if (!place) return undefined
    const { entries, put } = place
    return {
      entries,
      withEntries: (others, fields) => ({
        ...FIRST,
        ...value,
        ...fields,
        conversations: put(others),
      }),
    }
  }
  const alone = readList(value) ?? readMap(value)
  // An empty one may be anything.
  return alone && alone.entries.length > 0
    ? { entries: alone.entries, withEntries: alone.put }
    : undefined
}

function readList(list: JsonValue | undefined): Place | undefined {
  if (!Array.isArray(list)) return undefined
  if (list.length > 0 && list.every((id) => typeof id === 'string'))
    return { entries: list.map((id) => ({ id })), put: (entries) => entries.map(({ id }) => id) }
  const isEntry = (one: JsonValue): one is IndexEntry =>
    isJsonObject(one) && typeof one.id === 'string'
  return list.every(isEntry) ? { entries: list, put: (entries) => [...entries] } : undefined
}

function readMap(map: JsonValue | undefined): Place | undefined {
  if (!isJsonObject(map)) return undefined
  const named = Object.entries(map)
  if (!named.every((one): one is [string, JsonObject] => isJsonObject(one[1]))) return undefined
  return {
    entries: named.map(([id, entry]) => ({ ...entry, id })),
    put: (entries) => Object.fromEntries(entries.map((entry) => [entry.id, entry])),
  }
}

/** A working directory, and the folder of its conversations. */
export interface Workspace {
  directory: string
  /** `<8 hex of the sha256 of the directory>-<its name>`, so that equal names stay apart. */
  folder: string
}

const FOLDER = /^[0-9a-f]{8}-[^/\\]+$/

/**
 * Returns the workspace of a directory, which may no longer exist. A symbolic link to the directory gives the same
 * workspace. The name of a folder in the store is accepted too.
 */
export function workspaceOf(directory: string, store: string): Workspace {
  if (FOLDER.test(basename(directory)) && existsSync(join(store, basename(directory))))
    return { directory, folder: basename(directory) }
  const named = resolve(directory)
  const real = existsSync(named) ? realpathSync(named) : named
  const stored = workspaceFolders(store)
  const found = [real, named].flatMap((one) =>
    stored.filter((folder) => folder.startsWith(hashOf(one))),
  )
  const name = basename(real).replace(/[^\w.-]/g, '_') || 'root'
  // Other programs may spell the name differently, so the hash identifies the folder.
  return { directory: real, folder: found[0] ?? `${hashOf(real)}${name}` }
}

/** The folders of workspaces in a store. */
export function workspaceFolders(store: string): string[] {
  if (!existsSync(store)) return []
  return readdirSync(store, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && FOLDER.test(entry.name))
    .map(({ name }) => name)
    .sort()
}

function hashOf(directory: string): string {
  return `${sha256(directory).slice(0, 8)}-`
}

/** Formats the JSON files of a store. */
export function printIndented(value: unknown): string {
  return JSON.stringify(value, null, 2) + '\n'
}
