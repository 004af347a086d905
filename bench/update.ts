// Measures how a new recording looks to a reviewer: changed lines in the diff of git, and size on disk against content.
import { execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { JsonObject } from '../src/json/json-value.ts'
import { converse, instructions } from '../test/recording/smallest-diff/ten-turns.ts'
import { renewingWires, type RenewingWire } from '../test/recording/smallest-diff/renewing-wires.ts'

type Setting = { word?: string; turns?: number; changed?: number }

const { openCassette } = (await import(
  new URL('../dist/open-cassette.mjs', import.meta.url).href
)) as typeof import('../src/runners/program/open-cassette.ts')

const folder = mkdtempSync(join(tmpdir(), 'update-'))
const upstream = fork(fileURLToPath(new URL('./renewing-upstream.ts', import.meta.url)))
const [address] = (await once(upstream, 'message')) as [string]

/** Sends a request to the provider. */
async function send(wire: RenewingWire, request: JsonObject): Promise<Buffer> {
  const body = JSON.stringify(request)
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(address + wire.path, { method: 'POST', headers, body })
  return Buffer.from(await response.arrayBuffer())
}

/** Records what is asked meanwhile. */
async function recordIn(path: string, ask: () => Promise<unknown>): Promise<void> {
  process.env.RECORD = '1'
  const cassette = openCassette({ path, hosts: [new URL(address).host] })
  await ask()
  await cassette.close()
  delete process.env.RECORD
}

/** Records a conversation. */
async function record(wire: RenewingWire, path: string, setting: Setting): Promise<void> {
  const { word, turns = 10, changed } = setting
  upstream.send({ changed })
  await once(upstream, 'message')
  await recordIn(path, () =>
    converse(wire, instructions(word), turns, (request) => send(wire, request)),
  )
}

/** Lines that git's diff adds and takes away. */
function changedLines(before: string, after: string): [added: number, removed: number] {
  try {
    execFileSync('git', ['diff', '--no-index', '--numstat', before, after])
    return [0, 0]
  } catch (error) {
    const [added, removed] = String((error as { stdout: Buffer }).stdout).split('\t')
    return [Number(added), Number(removed)]
  }
}

const again: Array<[name: string, setting: Setting]> = [
  ['nothing', {}],
  ['a word of the prompt', { word: 'gently' }],
  ['a word of it, and of an answer', { word: 'gently', changed: 4 }],
  ['a turn more', { turns: 11 }],
]

console.log(`| wire format | ${again.map(([name]) => name).join(' | ')} |`)
console.log(`|---|${again.map(() => '--:').join('|')}|`)
const wanted = new RegExp(process.argv[2] ?? '.')
for (const wire of renewingWires.filter(({ name }) => wanted.test(name))) {
  const path = join(folder, `${wire.name}.json`)
  await record(wire, path, {})
  const first = readFileSync(path)
  const cells: string[] = []
  for (const [index, [, setting]] of again.entries()) {
    const before = join(folder, `${wire.name}-${index}.json`)
    writeFileSync(before, first)
    writeFileSync(path, first)
    await record(wire, path, setting)
    const [added, removed] = changedLines(before, path)
    cells.push(`${added + removed} (+${added} −${removed})`)
  }
  console.log(`| ${[wire.name, ...cells].join(' | ')} |`)
}

/** Records calls, and compares the size of the cassette with that of the requests and answers. */
async function recordCalls(calls: number, prompt: (call: number) => string): Promise<string> {
  const [wire] = renewingWires as [RenewingWire]
  const path = join(folder, `calls-${calls}-${prompt(0).length}`, 'cassette.json')
  let content = 0
  await recordIn(path, async () => {
    for (let call = 0; call < calls; call++) {
      const request = wire.ask(prompt(call), [wire.question(`Order ${call}?`)])
      content += Buffer.byteLength(JSON.stringify(request)) + (await send(wire, request)).byteLength
    }
  })
  const { size } = statSync(path)
  const kb = (bytes: number): string => `${(bytes / 1_000).toFixed(0)} KB`
  return `${kb(content)} | ${kb(size)} | ${(size / content).toFixed(2)}`
}

const lines = (call: number): string =>
  instructions(`${call}`).replaceAll('step', `step ${call} of`)
const oneLine = (call: number): string =>
  `${call}: ${lines(call).replaceAll('\n', ' ')} `.repeat(50)
console.log(
  '\n| calls, each with a prompt of its own | content | on disk | ÷ content |\n|---|--:|--:|--:|',
)
for (const calls of [1, 10, 50])
  console.log(`| ${calls}, prompts of 150 lines | ${await recordCalls(calls, lines)} |`)
console.log(`| 1, prompt of one line | ${await recordCalls(1, oneLine)} |`)
upstream.disconnect()
if (!process.env.KEEP) rmSync(folder, { recursive: true })
else console.log(folder)
