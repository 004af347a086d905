// Records as the worker of a test run does. A process says on standard output what has happened so far:
//   node recorder.ts <root> <path>,<path>… <attempt, or 0 for 'until killed'> <answers> <characters of an answer>
import { writeSync } from 'node:fs'
import { argv } from 'node:process'
import { isMainThread, workerData } from 'node:worker_threads'
import { isRecorded } from '../../src/cassette/cassette.ts'
import { Journal } from '../../src/cassette/journal.ts'
import { CassetteStore } from '../../src/cassette/store.ts'
import { attemptOf } from './attempt.ts'

const [root, paths, first, answers, length] = (
  isMainThread ? argv.slice(2) : (workerData as string[])
) as [string, string, string, string, string]
const isEndless = first === '0'
const store = new CassetteStore(root, '__recordings__', 1e9)

for (let attempt = isEndless ? Date.now() : Number(first); ; attempt++) {
  for (const path of paths.split(',')) {
    const cassette = attemptOf(attempt, Number(answers), Number(length))
    const journal = new Journal({ root, dir: '__recordings__', path, id: cassette.conversationId })
    for (const [order, { prompt, wire }] of cassette.exchanges.filter(isRecorded).entries()) {
      journal.append({ order, hash: prompt.hash, ...wire })
      say(`paid ${attempt} ${order}`)
    }
    await store.save(path, cassette)
    say(`saved ${attempt}`)
    journal.deleteAll()
  }
  if (!isEndless) break
}

/** At once, so that nothing is said too late to be heard. */
function say(line: string): void {
  if (isMainThread) writeSync(1, `${line}\n`)
}
