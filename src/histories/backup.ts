import { basename } from '../real/path.ts'
import { readFileSync } from '../real/files.ts'
import { readStoredConversation, type StoredConversation } from './stored-conversation.ts'
import { storedLines, type ConversationProblem } from './stored-message.ts'
import { isBlob } from '../cassette/blobs.ts'
import { CassetteError } from '../errors.ts'
import { withoutOwnTitle, type WorkspaceFolder } from './workspace-folder.ts'
import { isJsonObject, tryParseJson, type JsonObject, type JsonValue } from '../json/json-value.ts'
import { printIndented } from './workspace-index.ts'

/** Whether a JSON value is an exported conversation. */
function isBackup(value: JsonValue | undefined): value is JsonObject {
  return isJsonObject(value) && isJsonObject(value.metadata) && Array.isArray(value.messages)
}

/** Whether a file holds a stored conversation. */
export function isBackupFile(file: string): boolean {
  return isBackupText(read(file))
}

/** Whether a text is that of an exported conversation. */
export function isBackupText(text: string): boolean {
  return isBackup(tryParseJson(text.replace(/^\uFEFF/, '')))
}

/** A conversation read from one file, with its pictures. */
interface Backup extends StoredConversation {
  blobs: Map<string, Buffer>
  problems: ConversationProblem[]
}

/**
 * Reads a conversation from one file, as this package and others export it.
 *
 * @throws CassetteError `invalid-conversation` for any other file.
 */
export function readBackup(file: string): Backup {
  return parseBackup(read(file), file)
}

/** The same of a text that is read already. */
export function parseBackup(text: string, file: string): Backup {
  const value = tryParseJson(text.replace(/^\uFEFF/, ''))
  if (!isBackup(value)) throw wrong(file, 'it has no "metadata" and "messages"')
  const { metadata, messages, blobs = {} } = value
  const { id = basename(file, '.json'), working_directory: directory } = metadata as JsonObject
  const stored = readStoredConversation(
    String(id),
    JSON.stringify(metadata),
    storedLines(messages as JsonObject[]),
    typeof directory === 'string' ? directory : '',
  )
  const named = Object.entries(isJsonObject(blobs) ? blobs : {})
  const pictures = new Map(
    named.map(([name, bytes]) => [name, Buffer.from(String(bytes), 'base64')]),
  )
  for (const [name, bytes] of pictures)
    if (!isBlob(name, bytes)) throw wrong(file, `'${name}' is not the picture of that name`)
  return { ...stored, blobs: pictures }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw wrong(file, (error as Error).message, error)
  }
}

function wrong(file: string, problem: string, cause?: unknown): CassetteError {
  return new CassetteError(
    'invalid-conversation',
    `${file} is no stored conversation: ${problem}.\n` +
      'Write one with: vitest-cassette history export <id> --store <folder> --out <folder>',
    { cause },
  )
}

/** Writes a stored conversation as the text of one file, with the pictures that its messages refer to. */
export function writeBackup(
  { metadata, messages }: StoredConversation,
  folder: WorkspaceFolder,
): string {
  const names = new Set(storedLines(messages).match(/[0-9a-f]{64}\.[a-z0-9]{2,5}/g))
  const blobs: Record<string, string> = {}
  for (const name of names)
    if (folder.hasBlob(metadata.id, name))
      blobs[name] = folder.readBlob(metadata.id, name).toString('base64')
  return printIndented({
    metadata: withoutOwnTitle(metadata),
    messages,
    ...(Object.keys(blobs).length > 0 ? { blobs } : {}),
  })
}
