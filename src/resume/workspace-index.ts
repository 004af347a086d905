import { basename, join } from 'node:path'
import * as z from 'zod/mini'
import { writeAtomically } from '../cassette/disk/write-atomically.ts'
import type { ConversationProblem } from '../conversation/store/stored-message.ts'
import { tryParseJson } from '../json/json-value.ts'
import { NEW_INDEX, readIndex, type IndexEntry, type IndexShape } from './index-shape.ts'
import { print, type WorkspaceFolder } from './workspace-folder.ts'

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
    const text = print((before ?? NEW_INDEX).withEntries(entries, fields))
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
