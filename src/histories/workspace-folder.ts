import { join } from '../real/path.ts'
import {
  appendFileSync,
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from '../real/files.ts'
import { refuseSymlinks } from '../cassette/paths.ts'
import { newMark, writeAtomically } from '../cassette/write-file.ts'
import { CassetteError } from '../errors.ts'
import type { ConversationMetadata } from './conversation-metadata.ts'
import { readStoredConversation, type StoredConversation } from './stored-conversation.ts'
import {
  readMessages,
  storedLines,
  type ConversationProblem,
  type StoredMessage,
} from './stored-message.ts'
import { closestTo } from '../text/closest-names.ts'
import { printIndented, workspaceOf, type Workspace } from './workspace-index.ts'

/** An id is a folder name, so it must not lead out of the store. */
const ID = /^[\w][\w.-]{0,199}$/

/** A stored conversation, with its unreadable parts. */
export type ReadConversation = StoredConversation & { problems: ConversationProblem[] }

/** The conversations of one working directory: one folder per conversation, one line per message. */
export class WorkspaceFolder {
  readonly workspace: Workspace
  readonly #store: string
  /** The path of the folder that holds the conversations. */
  readonly folder: string

  /**
   * @param store the folder that holds the workspaces
   * @param directory the working directory, or the name of its folder in the store
   */
  constructor(store: string, directory: string) {
    this.workspace = workspaceOf(directory, store)
    this.#store = store
    this.folder = join(store, this.workspace.folder)
  }

  /** The ids of all conversations, listed in the index or not. */
  list(): string[] {
    if (!existsSync(this.folder)) return []
    return readdirSync(this.folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && ID.test(entry.name))
      .map(({ name }) => name)
      .sort()
  }

  /**
   * Reads a conversation.
   *
   * @throws CassetteError `invalid-conversation` for an id that is not in the store.
   */
  read(id: string): ReadConversation {
    const ids = this.list()
    if (!ids.includes(id)) throw this.#unknown(id, ids)
    // Metadata first: writers append lines before they count them, so every counted line is read.
    const metadata = this.text(id, 'metadata.json')
    const messages = this.text(id, 'messages.jsonl') ?? ''
    return readStoredConversation(id, metadata, messages, this.workspace.directory)
  }

  hasBlob(id: string, name: string): boolean {
    return existsSync(join(this.folder, id, 'blobs', name))
  }

  /** Reads a file that a message of a conversation contains. */
  readBlob(id: string, name: string): Buffer {
    const file = join(this.folder, id, 'blobs', name)
    refuseSymlinks(this.#store, file)
    if (!existsSync(file))
      throw new CassetteError('invalid-conversation', `its file blobs/${name} is missing`)
    return readFileSync(file)
  }

  /** Writes a whole conversation, and replaces the one with its id. */
  async write(
    { metadata, messages }: StoredConversation,
    blobs: ReadonlyMap<string, Buffer>,
  ): Promise<string> {
    const { id } = metadata
    for (const name of ['messages.jsonl', ...Array.from(blobs.keys(), (blob) => `blobs/${blob}`)])
      this.#refuse(id, name)
    const folder = join(this.folder, id)
    for (const [name, bytes] of blobs) await writeAtomically(join(folder, 'blobs', name), bytes)
    await writeAtomically(join(folder, 'messages.jsonl'), storedLines(messages))
    await writeAtomically(join(folder, 'metadata.json'), printIndented(withoutOwnTitle(metadata)))
    return folder
  }

  /**
   * Creates a conversation with all of its files at once, so that a kill leaves all of them or none.
   *
   * @throws CassetteError `invalid-conversation` where its id is taken.
   */
  begin({ metadata, messages }: StoredConversation, blobs: ReadonlyMap<string, Buffer>): void {
    const { id } = metadata
    this.#refuse(id, 'metadata.json')
    const folder = join(this.folder, id)
    const making = join(this.folder, `.${id}.${newMark()}.tmp`)
    mkdirSync(making, { recursive: true })
    try {
      writeFileSync(join(making, 'messages.jsonl'), storedLines(messages))
      writeFileSync(join(making, 'metadata.json'), printIndented(withoutOwnTitle(metadata)))
      if (blobs.size > 0) mkdirSync(join(making, 'blobs'))
      for (const [name, bytes] of blobs) writeFileSync(join(making, 'blobs', name), bytes)
      // A rename never replaces a folder that is not empty.
      renameSync(making, folder)
    } catch (error) {
      rmSync(making, { recursive: true, force: true })
      if (!existsSync(folder)) throw error
      throw new CassetteError(
        'invalid-conversation',
        `There is a conversation '${id}' already in ${this.folder}.`,
        { cause: error },
      )
    }
  }

  /** Appends lines in one write, so that no other writer's lines come between them. */
  append(id: string, messages: readonly StoredMessage[]): void {
    this.#refuse(id, 'messages.jsonl')
    const file = join(this.folder, id, 'messages.jsonl')
    // A killed writer may leave half a line, which must not be joined with the new ones.
    const text = (endsInLine(file) ? '' : '\n') + storedLines(messages)
    if (!existsSync(join(this.folder, id))) throw this.#unknown(id, this.list())
    appendFileSync(file, text)
  }

  /** Computes the metadata from the lines and writes it, again until no other writer adds a line meanwhile. */
  async describe(
    id: string,
    describe: (messages: readonly StoredMessage[]) => ConversationMetadata,
  ): Promise<ConversationMetadata> {
    this.#refuse(id, 'metadata.json')
    const file = join(this.folder, id, 'metadata.json')
    for (;;) {
      const text = this.text(id, 'messages.jsonl')
      if (text === undefined) throw this.#unknown(id, this.list())
      const metadata = describe(readMessages(text, 'messages.jsonl').messages)
      await writeAtomically(file, printIndented(withoutOwnTitle(metadata)))
      if (this.text(id, 'messages.jsonl')?.length === text.length) return metadata
    }
  }

  /**
   * Deletes a conversation at once, even if another process still writes to it.
   *
   * @throws CassetteError `invalid-conversation` for an id that is not in the store.
   */
  delete(id: string): void {
    const ids = this.list()
    if (!ids.includes(id)) throw this.#unknown(id, ids)
    refuseSymlinks(this.#store, join(this.folder, id))
    const going = join(this.folder, `.${id}.${newMark()}.tmp`)
    renameSync(join(this.folder, id), going)
    rmSync(going, { recursive: true })
  }

  #refuse(id: string, name: string): void {
    if (!ID.test(id))
      throw new CassetteError('invalid-conversation', `'${id}' cannot be the id of a conversation.`)
    // The store folder that the user named may be a symbolic link; nothing inside it may.
    refuseSymlinks(this.#store, join(this.folder, id, name))
  }

  /** The text of a file of a conversation, or of the workspace if `id` is `.`. */
  text(id: string, name: string): string | undefined {
    const file = join(this.folder, id, name)
    if (!lstatSync(file, { throwIfNoEntry: false })?.isFile()) return undefined
    return readFileSync(file, 'utf8').replace(/^\uFEFF/, '')
  }

  #unknown(id: string, ids: string[]): CassetteError {
    const close = closestTo(id, ids)
    const known = close.length > 0 ? `The closest are: ${close.join(', ')}.` : 'There is none here.'
    return new CassetteError(
      'invalid-conversation',
      `There is no conversation '${id}' of ${this.workspace.directory} in ${this.folder}.\n${known}\n` +
        'List them with: vitest-cassette history list --store <folder>',
    )
  }
}

/** Leaves out a title that only repeats the id: another program may have written none. */
export function withoutOwnTitle(metadata: ConversationMetadata): Partial<ConversationMetadata> {
  const { title, ...others } = metadata
  return title === metadata.id ? others : metadata
}

/** Whether a file is missing or empty, or its last line is complete. */
function endsInLine(file: string): boolean {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  if (size === 0) return true
  const descriptor = openSync(file, 'r')
  try {
    const last = Buffer.alloc(1)
    readSync(descriptor, last, 0, 1, size - 1)
    return last.toString() === '\n'
  } finally {
    closeSync(descriptor)
  }
}
