import { basename, dirname, join } from 'node:path'
import { existsSync, lstatSync, readFileSync } from '../real/files.ts'
import type { Cassette } from '../cassette/format/cassette.ts'
import { adviseOnForeign } from '../cassette/disk/foreign-file.ts'
import { readContext } from '../conversation/context/read-context.ts'
import type { ContextEntry } from '../conversation/context/context-entry.ts'
import { entriesOfContext } from '../conversation/context-entries.ts'
import { readConversations, type Conversation } from '../conversation/conversation.ts'
import type { ConversationMetadata } from '../conversation/store/conversation-metadata.ts'
import { readStoredConversation } from '../conversation/store/stored-conversation.ts'
import type { ConversationProblem } from '../conversation/store/stored-message.ts'
import { findPictures, type Pictures } from '../conversation/transcript/find-pictures.ts'
import { CassetteError } from '../errors.ts'
import { isBackupText, parseBackup } from '../resume/backup.ts'
import { openConversation } from '../resume/open-stored.ts'
import type { ReadConversation } from '../resume/workspace-folder.ts'
import { readUtf8 } from '../wire/utf8.ts'
import { adviseOnFile } from './advise-on-file.ts'
import { readHistory } from './read-history.ts'

/** A conversation opened from a file at any path. */
export interface OpenedFile {
  title: string
  timestamp: string
  conversations: Conversation[]
  pictures: Pictures
  /** The entries of a context; absent for other files. */
  context?: ContextEntry[]
  /** Absent for a context, a damaged conversation, and one that another program stored. */
  cassette?: Cassette
  /** The metadata of a stored conversation. */
  stated?: ConversationMetadata
  /** The changes made by the conversion. */
  notes: string[]
  problems: readonly ConversationProblem[]
  /** True when a part of it could not be read. */
  isDamaged: boolean
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
