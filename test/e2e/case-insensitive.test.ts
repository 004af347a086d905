import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { needs } from '../needs.ts'
import { startUpstream, type Upstream } from '../upstream/start-upstream.ts'
import { VitestProject } from './vitest-project.ts'

const DEAD = 'http://127.0.0.1:2'

const images: string[] = []
const mounts: string[] = []

/**
 * Mounts a file system at a folder that takes names of other cases for one, lists them in lower case, and refuses the names
 * that Windows refuses.
 */
function mountLikeWindows(folder: string): void {
  const image = mkdtempSync(join(tmpdir(), 'like-windows-'))
  images.push(image)
  const file = join(image, 'disk')
  run('truncate', '-s', '16M', file)
  run('mkntfs', '-F', '-Q', '-q', file)
  mkdirSync(folder, { recursive: true })
  run('lowntfs-3g', '-o', 'ignore_case,windows_names', file, folder)
  mounts.push(folder)
}

function run(command: string, ...args: string[]): void {
  execFileSync(command, args, { stdio: 'ignore', timeout: 20_000 })
}

let upstream: Upstream

beforeAll(async () => void (upstream = await startUpstream()))

afterAll(async () => {
  for (const folder of mounts) run('umount', folder)
  for (const image of images) rmSync(image, { recursive: true })
  await upstream.stop()
})

const TEST = `import { expect, test } from 'vitest'
import { ask } from '../ask.ts'

for (const title of ['Asks', 'asks', 'aux', 'con:', 'ends.', 'LPT1'])
  test(title, async () => void expect(await ask(title)).toBe('Odd: ' + title))
`

test(
  'cassettes are those of their tests where upper and lower case are one, and names are refused',
  { ...needs('ntfs-3g'), timeout: 240_000 },
  async () => {
    const project = new VitestProject('orphans', { UPSTREAM_URL: upstream.oddUrl })
    for (const file of ['stays', 'gone', 'other']) project.remove(`${file}.test.ts`)
    for (const file of ['Asks', 'AUX', 'con', 'Com1.x']) project.write(`${file}.test.ts`, TEST)
    mountLikeWindows(join(project.dir, '__recordings__'))
    const recording = await project.record()
    expect(recording.exitCode, recording.output).toBe(0)
    const before = project.snapshot()
    expect(Object.keys(before)).toHaveLength(24)
    expect(readdirSync(join(project.dir, '__recordings__')).sort()).toEqual([
      '_aux.test.ts',
      '_com1.x.test.ts',
      '_con.test.ts',
      'asks.test.ts',
    ])

    const replay = await project.run([], { UPSTREAM_URL: DEAD, CI: '1' })
    expect(replay.exitCode, replay.output).toBe(0)
    expect(replay.output).toContain('24 replayed')
    expect(replay.output).not.toContain('without a test')

    const pruned = await project.cli('prune --yes --json 2>/dev/null')
    expect(JSON.parse(pruned.output)).toEqual({ unused: [], deleted: false })
    // It lists other names than it was given.
    const verified = await project.cli('verify')
    expect(verified.output).toMatch(/ {2}test-files {2}.* Asks\.test\.ts\b/)
    expect((await project.record()).exitCode).toBe(0)
    expect(project.snapshot()).toEqual(before)

    const [name] = readdirSync(join(project.dir, '__recordings__/asks.test.ts')) as [string]
    const moved = await project.cli(
      `move __recordings__/asks.test.ts/${name} __recordings__/Asks.test.ts/${name}`,
    )
    expect(moved.exitCode, moved.output).toBe(2)
    expect(moved.output).toContain(
      'git mv "__recordings__/asks.test.ts" "__recordings__/asks.test.ts.tmp"',
    )
    expect(project.snapshot()).toEqual(before)
  },
)
