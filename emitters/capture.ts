import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { EMITTERS } from './emitters.ts'
import { exportOf } from './exports.ts'
import { Receiver } from './receiver.ts'

// Runs the agent under every emitter, and keeps what they send: `node capture.ts [--into FOLDER] [--variant plain] [NAME…]`.
const { values, positionals: named } = parseArgs({
  options: { into: { type: 'string' }, variant: { type: 'string' } },
  allowPositionals: true,
})
const folder = values.into
  ? pathToFileURL(`${values.into}/`)
  : new URL('captured/', import.meta.url)
mkdirSync(folder, { recursive: true })
const provider = spawn(process.execPath, [new URL('provider.ts', import.meta.url).pathname], {
  stdio: ['ignore', 'pipe', 'inherit'],
})
const [port] = (await once(provider.stdout, 'data')) as [Buffer]
const receiver = new Receiver()
const RECEIVER_URL = await receiver.listen()

for (const [name, { env }] of Object.entries(EMITTERS)) {
  if (named.length > 0 && !named.includes(name)) continue
  for (const variant of values.variant ? [values.variant] : ['plain', 'stream', 'error']) {
    receiver.take()
    const child = spawn(
      process.execPath,
      [new URL('emit.ts', import.meta.url).pathname, name, variant],
      {
        env: {
          ...process.env,
          ...env,
          PROVIDER_URL: `http://127.0.0.1:${port.toString().trim()}`,
          RECEIVER_URL,
        },
        stdio: 'inherit',
        timeout: 60_000,
      },
    )
    const [code] = (await once(child, 'exit')) as [number]
    const sent = receiver.take()
    const file = new URL(`${name}.${variant}.jsonl`, folder)
    rmSync(file, { force: true })
    const { text, seen } = exportOf(sent)
    if (text !== undefined) writeFileSync(file, withoutPlaces(text))
    console.log(`${code === 0 ? ' ' : '✗'} ${name} ${variant}: ${seen}`)
  }
}
writeFileSync(new URL('versions.json', folder), `${JSON.stringify(versions(), null, 2)}\n`)
receiver.close()
provider.kill()

/** Without the folders and the ports of the machine on which it was captured. */
function withoutPlaces(text: string): string {
  const root = decodeURIComponent(new URL('.', import.meta.url).pathname).replace(/\/$/, '')
  return text
    .replaceAll(root, '/app')
    .replace(/\/[^\s"'()]*\/node_modules\//g, '/app/node_modules/')
    .replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:8080')
    .replace(/("server\.port","value":\{"intValue":)\d+/g, '$18080')
}

/** Which versions sent what was captured, by the names of the emitters. */
function versions(): Record<string, { versions: string[]; wire: string }> {
  return Object.fromEntries(
    Object.entries(EMITTERS).map(([name, { packages, wire }]) => [
      name,
      { versions: packages.map(versionOf), wire },
    ]),
  )
}

function versionOf(name: string): string {
  const file = new URL(`node_modules/${name}/package.json`, import.meta.url)
  const { name: real, version } = JSON.parse(readFileSync(file, 'utf8')) as {
    name: string
    version: string
  }
  return `${real} ${version}`
}
