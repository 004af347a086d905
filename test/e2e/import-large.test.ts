import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdirSync, openSync, watch, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { builtCli, VitestProject } from './vitest-project.ts'
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
  const preload = join(project.dir, 'memory.cjs')
  writeFileSync(preload, TELL_MEMORY)
  const most: number[] = []
  for (const megabytes of [2, 200]) {
    writeHar(join(project.dir, 'a.har'), browsed(megabytes))
    const words = `import a.har --to out/${megabytes}.json --only-llm --write`
    const { exitCode, output } = await project.cli(words, { NODE_OPTIONS: `--require ${preload}` })
    expect(exitCode, output).toBe(0)
    expect(output).toContain(`Left out: a call that is no LLM call (${megabytes})`)
    expect(output).toContain('Wrote 1 cassette.')
    most.push(Number(/most memory: (\d+)/.exec(output)![1]) / 1024)
  }
  const [small, large] = most as [number, number]
  expect(large - small, `${most} MB`).toBeLessThan(80)
})

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
