// Records as the worker of a test run does. A process says on standard output what has happened so far:
//   node recorder.ts <root> <path>,<path>… <attempt> <answers> <characters of an answer> <moment>
// Attempt 0 stands for all, until it is killed; -1 for all, until it kills itself while it saves: at the moment, from 0 to
// 1, of the time that the last one took.
import { writeSync } from 'node:fs'
import { argv } from 'node:process'
import { isMainThread, Worker, workerData } from 'node:worker_threads'
import { isRecorded } from '../../src/cassette/cassette.ts'
import { Journal } from '../../src/cassette/journal.ts'
import { CassetteStore } from '../../src/cassette/store.ts'
import { preloadParts } from '../../src/real/load-later.ts'
import { attemptOf } from './attempt.ts'

await preloadParts()

const [root, paths, first, answers, length, moment] = (
  isMainThread ? argv.slice(2) : (workerData as string[])
) as [string, string, string, string, string, string?]
const isEndless = Number(first) < 1
/** How long the last cassette took to be saved, in milliseconds. */
let saving = 0
const killer = first === '-1' ? await startKiller() : undefined
const store = new CassetteStore(root, '__recordings__', 1e9)

for (let attempt = isEndless ? Date.now() : Number(first); ; attempt++) {
  for (const path of paths.split(',')) {
    const cassette = attemptOf(attempt, Number(answers), Number(length))
    const journal = new Journal({ root, dir: '__recordings__', path, id: cassette.conversationId })
    for (const [order, { prompt, wire }] of cassette.exchanges.filter(isRecorded).entries()) {
      journal.append({ order, hash: prompt.hash, ...wire })
      say(`paid ${attempt} ${order}`)
    }
    if (saving > 0) killer?.killAfter(Number(moment) * saving)
    const begun = performance.now()
    await store.save(path, cassette)
    saving = performance.now() - begun
    say(`saved ${attempt}`)
    journal.deleteAll()
  }
  if (!isEndless) break
}

/** A thread that kills this process while it saves, which it does in one turn of the event loop. */
async function startKiller(): Promise<{ killAfter: (ms: number) => void }> {
  const microseconds = new Int32Array(new SharedArrayBuffer(4))
  const code = `
    const { parentPort, workerData } = require('node:worker_threads')
    parentPort.postMessage('ready')
    Atomics.wait(workerData, 0, 0)
    const end = performance.now() + workerData[0] / 1000
    while (performance.now() < end);
    process.kill(process.pid, 'SIGKILL')`
  const worker = new Worker(code, { eval: true, workerData: microseconds })
  await new Promise((resolve) => worker.once('message', resolve))
  return {
    killAfter(ms) {
      Atomics.store(microseconds, 0, Math.ceil(ms * 1000) || 1)
      Atomics.notify(microseconds, 0)
    },
  }
}

/** At once, so that nothing is said too late to be heard. */
function say(line: string): void {
  if (isMainThread) writeSync(1, `${line}\n`)
}
