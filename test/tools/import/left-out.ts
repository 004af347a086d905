import { readOne } from './foreign-folder.ts'
import { CHAT } from './samples.ts'

/** Calls in HAR files that become no exchange, by why. */
const EXAMPLES = {
  'a body that the file does not hold': { response: { status: 200, content: { size: 9 } } },
  'a body in a file that is gone': { response: { status: 200, content: { _file: 'gone.txt' } } },
  'no answer': {},
}

/** The words for what is left out, from an example: kinds are compared with each other, whatever they are called. */
export function leftOutAs(why: keyof typeof EXAMPLES): string {
  const entry = { request: { method: 'GET', url: CHAT }, ...EXAMPLES[why] }
  const { leftOut } = readOne({ log: { entries: [entry] } }, 'a.har')
  return [...leftOut.keys()][0]!
}

/** What is left out, a line each, with how often. */
export function listOf(leftOut: ReadonlyMap<string, number>): string {
  return Array.from(leftOut, ([what, count]) => `${count} × ${what}`).join('\n')
}
