import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { refuseSymlinks } from '../cassette/disk/symlinks.ts'
import { writeAtomically } from '../cassette/disk/write-atomically.ts'
import { CassetteError } from '../errors.ts'
import type { ConversationMetadata } from '../conversation/store/conversation-metadata.ts'
import {
  readStoredConversation,
  type StoredConversation,
} from '../conversation/store/stored-conversation.ts'
import { writeMessages, type ConversationProblem } from '../conversation/store/stored-message.ts'
import { closestTo } from '../diff/compare/closest-names.ts'
import { workspaceOf, type Workspace } from './workspace.ts'

/** An id is the name of a folder, and must not lead out of it. */
const ID = /^[\w][\w.-]{0,199}$/

const index = z.looseObject({ conversations: z.array(z.looseObject({ id: z.string() })) })

/** The conversations of one working directory: a folder each, with one line a message. */
export class ConversationStore {
  readonly workspace: Workspace
  readonly #store: string
  readonly #folder: string

  /**
   * @param store the folder that holds the workspaces
   * @param directory the working directory whose conversations are meant
   */
  constructor(store: string, directory: string) {
    this.workspace = workspaceOf(directory)
    this.#store = store
    this.#folder = join(store, this.workspace.folder)
  }

  /** The ids of all conversations, whatever the index says. */
  list(): string[] {
    if (!existsSync(this.#folder)) return []
    return readdirSync(this.#folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && ID.test(entry.name))
      .map(({ name }) => name)
      .sort()
  }

  /**
   * Reads a conversation; what cannot be read of it is named in `problems`.
   *
   * @throws CassetteError `invalid-conversation` for an id that is none of the store's.
   */
  read(id: string): StoredConversation & { problems: ConversationProblem[] } {
    const ids = this.list()
    if (!ids.includes(id)) throw this.#unknown(id, ids)
    const messages = this.#text(id, 'messages.jsonl') ?? ''
    const metadata = this.#text(id, 'metadata.json')
    return readStoredConversation(id, metadata, messages, this.workspace.directory)
  }

  /** Reads a file that a message of a conversation contains. */
  readBlob(id: string, name: string): Buffer {
    const file = join(this.#folder, id, 'blobs', name)
    refuseSymlinks(this.#store, file)
    if (!existsSync(file))
      throw new CassetteError('invalid-conversation', `its file blobs/${name} is missing`)
    return readFileSync(file)
  }

  /** Writes a conversation whole, and its line in the index. */
  async write(
    { metadata, messages }: StoredConversation,
    blobs: ReadonlyMap<string, Buffer>,
  ): Promise<string> {
    const { id } = metadata
    if (!ID.test(id))
      throw new CassetteError('invalid-conversation', `'${id}' cannot be the id of a conversation.`)
    const folder = join(this.#folder, id)
    // The folder that the user named may be a link; what others put into it may not.
    for (const name of ['messages.jsonl', ...Array.from(blobs.keys(), (blob) => `blobs/${blob}`)])
      refuseSymlinks(this.#store, join(folder, name))
    for (const [name, bytes] of blobs) await writeAtomically(join(folder, 'blobs', name), bytes)
    await writeAtomically(join(folder, 'messages.jsonl'), writeMessages(messages))
    await writeAtomically(join(folder, 'metadata.json'), print(metadata))
    await this.#writeIndex()
    return folder
  }

  /** The index is counted from the folders, so that no two writers can put it wrong for long. */
  async #writeIndex(): Promise<void> {
    const conversations = this.list().map((id) => summarize(this.read(id).metadata))
    const { directory } = this.workspace
    await writeAtomically(
      join(this.#folder, 'index.json'),
      print({ version: '1.0', working_directory: directory, conversations }),
    )
  }

  /** What is wrong with the index, which nothing but other programs depends on. */
  checkIndex(): ConversationProblem[] {
    const text = this.#text('.', 'index.json')
    if (text === undefined && this.list().length === 0) return []
    const listed = index.safeParse(text === undefined ? undefined : tryParse(text))
    if (!listed.success) {
      const problem = text === undefined ? 'it is missing' : 'it is no index'
      return [{ kind: 'bad-metadata', file: 'index.json', problem }]
    }
    const known = new Set(listed.data.conversations.map(({ id }) => id))
    return this.list()
      .filter((id) => !known.has(id))
      .map((id) => ({ kind: 'bad-metadata', file: 'index.json', problem: `${id} is not listed` }))
  }

  #text(id: string, name: string): string | undefined {
    const file = join(this.#folder, id, name)
    if (!lstatSync(file, { throwIfNoEntry: false })?.isFile()) return undefined
    return readFileSync(file, 'utf8')
  }

  #unknown(id: string, ids: string[]): CassetteError {
    const close = closestTo(id, ids)
    const known = close.length > 0 ? `The closest are: ${close.join(', ')}.` : 'There is none here.'
    return new CassetteError(
      'invalid-conversation',
      `There is no conversation '${id}' of ${this.workspace.directory} in ${this.#folder}.\n${known}\n` +
        'List them with: vitest-cassette list --store <folder>',
    )
  }
}

function summarize(metadata: ConversationMetadata) {
  const { id, title, model_id, created_at, updated_at, message_count } = metadata
  return { id, title, model_id, created_at, updated_at, message_count }
}

function print(value: unknown): string {
  return JSON.stringify(value, null, 2) + '\n'
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
