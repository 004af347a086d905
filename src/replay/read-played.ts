import type { Exchange } from '../cassette/cassette.ts'
import { RESPONSE, SENT, utf8Of } from './read-text-answer.ts'
import type { Forgiven, ReplayByHash } from './replay-by-hash.ts'
import type { SealedFile } from './sealed-file.ts'

const PROMPT = '\n      "prompt": {'
const REQUEST = '\n      "request": {'

/** Nothing else is answered by its hash. */
const ANSWERED = { request: { url: '' }, response: { status: 200 } }

/** What people read of an exchange that has answered. */
export interface Readable extends Pick<Exchange, 'prompt' | 'response'> {
  wire: { request: { url: string }; response: { status: number } }
}

/** What a replay answered, and what volatile rules forgave in the requests. */
export function readPlayed({
  file,
  played,
  values,
}: ReplayByHash): Array<{ replayed: Readable; forgiven: Forgiven[] | undefined }> {
  return played.map(({ index }) => ({
    replayed: readReadable(file, index),
    forgiven: values?.forgivenAt(index),
  }))
}

export function readReadable(file: SealedFile, index: number): Readable {
  const text = file.exchange(index)
  const response = text.indexOf(RESPONSE)
  const prompt = text.slice(text.indexOf(PROMPT), text.indexOf(REQUEST))
  const readable = text.slice(response, text.indexOf(SENT, response)).replace(/,$/, '')
  const read = JSON.parse(utf8Of(`{${prompt}${readable}}}`)) as Omit<Readable, 'wire'>
  return { ...read, wire: ANSWERED }
}
