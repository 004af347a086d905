import { readOne } from './foreign-folder.ts'
import { ASKED, CHAT, SAMPLES } from './samples.ts'

const GONE = { kind: 'binary', path: 'a.cassette.blobs/gone', contentType: 'a/b' }

/** Recordings of which one thing is left out. */
const EXAMPLES = {
  'unheld body': () => harOf({ response: { status: 200, content: { size: 9 } } }),
  'body in no file': () => harOf({ response: { status: 200, content: { _file: 'gone.txt' } } }),
  'no answer': () => harOf({}),
  'a WebSocket': () => harOf({ _webSocketMessages: [] }),
  WebRTC: () => harOf({ response: { status: 200, content: { text: 'v=0\r\no=- 1 1 IN IP4 0' } } }),
  'request body in no file': () => {
    const sample = SAMPLES.find(({ format }) => format === 'braintrust')!.content
    const { entries, ...others } = sample as { entries: Array<{ request: object }> }
    const gone = entries.map((entry) => ({ ...entry, request: { ...entry.request, body: GONE } }))
    return { ...others, entries: gone }
  },
}

function harOf(entry: object): object {
  const postData = { mimeType: 'application/json', text: JSON.stringify(ASKED) }
  const request = { method: 'POST', url: CHAT, postData }
  return { log: { entries: [{ request, ...entry }] } }
}

/** How a thing that is left out is called, by an example: tests compare things, whatever they are called. */
export function leftOutAs(what: keyof typeof EXAMPLES): string {
  const [called, ...others] = readOne(EXAMPLES[what]()).leftOut.keys()
  if (called === undefined || others.length > 0) throw new Error(`Not one thing: ${what}`)
  return called
}

/** What is left out, a line each, with how often. */
export function listOf(leftOut: ReadonlyMap<string, number>): string {
  return Array.from(leftOut, ([what, count]) => `${count} × ${what}`).join('\n')
}
