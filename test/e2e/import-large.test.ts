import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdirSync, openSync, statSync, watch, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { builtCli, VitestProject } from './vitest-project.ts'
import { times } from '../effort.ts'
import { CHAT, harEntry } from '../tools/import/samples.ts'

/** Prints the most memory that a process had, in KB, when it ends. */
const TELL_MEMORY =
  "process.on('exit', () => process.stderr.write('most memory: ' + process.resourceUsage().maxRSS))"

function entry(url: string, said: string): string {
  return JSON.stringify(harEntry(url, 'Hi', said))
}

/** Writes a HAR file entry by entry. */
function writeHar(path: string, entries: Iterable<string>): void {
  const file = openSync(path, 'w')
  writeSync(
    file,
    '{"log":{"version":"1.2","creator":{"name":"WebInspector","version":"1"},"entries":[',
  )
  let between = ''
  for (const one of entries) {
    writeSync(file, between + one)
    between = ','
  }
  writeSync(file, ']}}')
  closeSync(file)
}

const words = (count: number): string => 'Some words. '.repeat(count / 12)

/** A HAR file of a browser: a call of a model among many others, of 1 MB each. */
function* browsed(megabytes: number): Generator<string> {
  for (let at = 0; at < megabytes; at++) {
    yield entry('https://shop.example.com/products', words(1_000_000))
    if (at % 20 === 0) yield entry(CHAT, `Answer ${at}`)
  }
}

test('a HAR file of 200 MB takes no more memory than a small one', async () => {
  const project = new VitestProject('imported')
  const sizes: number[] = []
  for (const megabytes of [2, 200]) {
    writeHar(join(project.dir, 'a.har'), browsed(megabytes))
    const { exitCode, output, most } = await memoryOf(
      project,
      `import a.har --to out/${megabytes}.json --only-llm --write`,
    )
    expect(exitCode, output).toBe(0)
    expect(output).toMatch(new RegExp(`^Left out: .* \\(${megabytes}\\)$`, 'm'))
    expect(output).toContain('Wrote 1 cassette.')
    sizes.push(most)
  }
  const [small, large] = sizes as [number, number]
  expect(large - small, `${sizes} MB`).toBeLessThan(80)
})

/** A HAR file of calls of a model alone, of 1 MB each. */
function* asked(megabytes: number): Generator<string> {
  for (let at = 0; at < megabytes; at++)
    yield JSON.stringify(harEntry(CHAT, `Question ${at}`, `${at} ${words(1_000_000)}`))
}

/** Runs a command, and reads the most memory that it had, in MB. */
async function memoryOf(
  project: VitestProject,
  command: string,
): Promise<{ output: string; exitCode: number; most: number }> {
  const preload = join(project.dir, 'memory.cjs')
  writeFileSync(preload, TELL_MEMORY)
  const run = await project.cli(command, { NODE_OPTIONS: `--require ${preload}` })
  return { ...run, most: Number(/most memory: (\d+)/.exec(run.output)![1]) / 1024 }
}

test('a HAR file of calls of a model alone becomes cassettes that tests read, in bounded memory', async () => {
  const project = new VitestProject('imported')
  const megabytes = times(72, 120)
  writeHar(join(project.dir, 'a.har'), asked(megabytes))
  const { output, exitCode, most } = await memoryOf(project, 'import a.har --to out --write')
  expect(exitCode, output).toBe(0)
  expect(output).toMatch(/Wrote \d+ cassettes\./)
  expect(most).toBeLessThan(400)
  const files = project.files('out')
  expect(files).toContain('a.json')
  const all = files.map((file) => project.json(join('out', file)) as { exchanges: unknown[] })
  expect(all.reduce((sum, { exchanges }) => sum + exchanges.length, 0)).toBe(megabytes)
  for (const file of files)
    expect(statSync(join(project.dir, 'out', file)).size).toBeLessThan(2 ** 25)
  const one = await memoryOf(project, 'import a.har --to one.json --write')
  expect(one.exitCode).toBe(1)
  expect(one.output).toMatch(/^Not written: one\.json: .* \d+ MB.* 64 MB /m)
  expect(one.most).toBeLessThan(320)
}, 600_000)

test.for(['SIGINT', 'SIGKILL'] as const)(
  'import that is ended by %s leaves each cassette whole or absent',
  async (signal) => {
    const project = new VitestProject('imported')
    mkdirSync(join(project.dir, 'rec'))
    mkdirSync(join(project.dir, '__recordings__'))
    const count = 16
    for (let at = 0; at < count; at++)
      writeHar(join(project.dir, `rec/number-${at}.har`), [
        entry(CHAT, words(120_000)),
        entry(CHAT, 'Yes'),
      ])
    const args = [builtCli(), 'import', 'rec', '--to', '__recordings__', '--write']
    const child = spawn(process.execPath, args, { cwd: project.dir, stdio: 'ignore' })
    const ended = once(child, 'exit')
    let seen = 0
    const watcher = watch(join(project.dir, '__recordings__'), (_, file) => {
      if (file?.endsWith('.tmp') && ++seen > 4) child.kill(signal)
    })
    await ended
    watcher.close()
    const written = project.files().filter((file) => file.endsWith('.json'))
    expect(written.length).toBeGreaterThan(0)
    expect(written.length).toBeLessThan(count)
    expect(project.files().length - written.length).toBeLessThan(2)
    for (const file of written)
      expect(project.json(join('__recordings__', file))).toMatchObject({ exchanges: { length: 2 } })
    expect(await project.findings()).toEqual([])

    // The next one writes what is missing.
    const { output } = await project.cli('import rec --to __recordings__ --write --force')
    expect(output).toContain(`Wrote ${count} cassettes.`)
  },
)
