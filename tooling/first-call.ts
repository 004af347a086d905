// Makes the functions of the build eager that run for a first call and for its recording, in a program and in Vitest:
// `npm run build` runs it.
import { execFile, fork } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { withEagerFunctions } from './eager-functions.ts'

const root = join(import.meta.dirname, '..')
const NONE: ReadonlySet<number> = new Set()
const dist = join(root, 'dist')
const ANSWER = JSON.stringify({ choices: [{ message: { role: 'assistant', content: 'Hello' } }] })
const STREAM = `data: ${JSON.stringify({ choices: [{ delta: { content: 'Hello' } }] })}\n\ndata: [DONE]\n\n`

const upstream = createServer(async (request, response) => {
  const { stream } = JSON.parse(await text(request)) as { stream: boolean }
  response.setHeader('content-type', stream ? 'text/event-stream' : 'application/json')
  response.end(stream ? STREAM : ANSWER)
}).listen(0, '127.0.0.1')
const project = projectWithPackage()
try {
  await once(upstream, 'listening')
  const { port } = upstream.address() as AddressInfo
  const env = { PATH: process.env.PATH!, UPSTREAM_URL: `http://127.0.0.1:${port}` }
  const noting = { ...env, NODE_OPTIONS: '--import ./note-functions.mjs' }
  await ask({ ...noting, RECORD: '1' })
  const recording = notedFunctions()
  await ask(noting)
  // What replay loads has the functions of a replay alone.
  const noted = new Map([...recording, ...notedFunctions()])
  // All others too: what is no function of a first call loses its indentation alone.
  for (const file of new Set([...noted.keys(), ...globSync('*.mjs', { cwd: dist })])) {
    const path = join(dist, file)
    writeFileSync(path, withEagerFunctions(readFileSync(path, 'utf8'), noted.get(file) ?? NONE))
  }
} finally {
  upstream.close()
  rmSync(project, { recursive: true, force: true, maxRetries: 5 })
}

/** The project of `first-call/`, with a copy of the build where Vitest expects packages. */
function projectWithPackage(): string {
  mkdirSync(join(root, 'test/.tmp'), { recursive: true })
  const folder = mkdtempSync(join(root, 'test/.tmp/build-'))
  cpSync(join(import.meta.dirname, 'first-call'), folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
  for (const part of ['package.json', 'dist'])
    cpSync(join(root, part), join(folder, 'node_modules/vitest-cassette', part), {
      recursive: true,
    })
  return folder
}

/** @throws Error with what was printed, if an answer is missing */
async function ask(env: Record<string, string>): Promise<void> {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const program = fork('program.mjs', { cwd: project, env })
  const [[code]] = await Promise.all([
    once(program, 'exit') as Promise<[number]>,
    promisify(execFile)(process.execPath, [vitest, 'run'], { cwd: project, env }),
  ])
  if (code !== 0) throw new Error('A program gets no answer from the package that was built.')
}

/** Where the functions that ran start, by the files of the build. */
function notedFunctions(): Map<string, Set<number>> {
  const noted = new Map<string, Set<number>>()
  for (const file of globSync(join(project, 'functions-*.json'))) {
    const text = readFileSync(file, 'utf8')
    rmSync(file)
    const starts = JSON.parse(text) as Record<string, number[]>
    for (const [name, list] of Object.entries(starts))
      noted.set(name, new Set([...(noted.get(name) ?? []), ...list]))
  }
  return noted
}
