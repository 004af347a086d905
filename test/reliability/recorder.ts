// Records as the worker of a test run does. A process says on standard output what has happened so far:
//   node recorder.ts <root> <path>,<path>… <attempt> <answers> <characters of an answer>
// Attempt 0 stands for all, until it is killed; -1 for all, until it kills itself while it saves.
import { writeSync } from 'node:fs'
import process, { argv } from 'node:process'
import { isMainThread, workerData } from 'node:worker_threads'
import { isRecorded } from '../../src/cassette/format/cassette.ts'
import { Journal } from '../../src/cassette/disk/journal.ts'
import { CassetteStore } from '../../src/cassette/disk/store.ts'
import { attemptOf } from './attempt.ts'

const [root, paths, first, answers, length] = (
  isMainThread ? argv.slice(2) : (workerData as string[])
) as [string, string, string, string, string]
const isEndless = Number(first) < 1
/** How long the file system took for the last cassette, in milliseconds. */
let writing = 0
const store = new CassetteStore(root, '__recordings__', 1e9)

for (let attempt = isEndless ? Date.now() : Number(first); ; attempt++) {
  for (const path of paths.split(',')) {
    const cassette = attemptOf(attempt, Number(answers), Number(length))
    const journal = new Journal({ root, dir: '__recordings__', path, id: cassette.conversationId })
    for (const [order, { prompt, wire }] of cassette.exchanges.filter(isRecorded).entries()) {
      journal.append({ order, hash: prompt.hash, ...wire })
      say(`paid ${attempt} ${order}`)
    }
    // What is written is there before the event loop turns; from then on the file system is at work.
    let begun = 0
    setImmediate(() => {
      begun = performance.now()
      if (first === '-1' && writing > 0) killAt(begun + Math.random() * writing)
    })
    await store.save(path, cassette)
    writing = performance.now() - begun
    say(`saved ${attempt}`)
    journal.deleteAll()
  }
  if (!isEndless) break
}

/** Heard from elsewhere, the end of a save comes too late to be hit. */
function killAt(time: number): void {
  if (performance.now() < time) setImmediate(killAt, time)
  else process.kill(process.pid, 'SIGKILL')
}

/** At once, so that nothing is said too late to be heard. */
function say(line: string): void {
  if (isMainThread) writeSync(1, `${line}\n`)
}
