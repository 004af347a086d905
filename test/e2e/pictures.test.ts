import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { drawScreen, screenshot } from '../engine/screens.ts'
import { expectGolden } from '../golden.ts'
import { startUpstream, type Upstream } from '../upstream/start-upstream.ts'
import { pools } from './pools.ts'
import { failureIn, VitestProject, type Run } from './vitest-project.ts'

const ASKED = 'node_modules/.cache/vitest-cassette/asked'

let upstream: Upstream
let project: VitestProject
let run: Run

beforeAll(async () => {
  upstream = await startUpstream()
  project = new VitestProject('pictures', { UPSTREAM_URL: upstream.url })
  await drawPictures()
  const recording = await project.record()
  expect(recording.exitCode, recording.output).toBe(0)
  await upstream.stop()
  run = await project.run()
})

afterAll(() => upstream.stop())

test('a pixel that moved is replayed, and what clients tell apart misses', () => {
  for (const title of ['anthropic: moved', 'openai: moved', 'region: moved'])
    expect(run.output).toContain(`✓ ${title}`)
  expect(run.output).toMatch(/Tests {2}6 failed \| 4 passed/)
})

test.for(['anthropic', 'openai'])(
  '%s: a missing button shows both files and how far apart',
  (sdk) => {
    const block = failureIn(run, `pictures.test.ts > ${sdk}: none\n`)
    const [, recorded, asked] =
      /picture +(\S+), phash [\da-f]{16}\n +asked +(\S+), phash [\da-f]{16}\n/.exec(block)!
    expect(readFileSync(join(project.dir, recorded!))).toEqual(bytesOf('plain'))
    expect(readFileSync(join(project.dir, asked!))).toEqual(bytesOf('none'))
    expect(block).toMatch(/distance +\d+ of 64 bits, .* 2\n/)
    expect(block).toContain('1 change away')
  },
)

test('what is asked is kept once, and beside it nothing', () => {
  expect(project.files(ASKED)).toHaveLength(4)
  expect(project.files().filter((file) => file.startsWith('blobs/'))).toHaveLength(1)
})

test('a region looks at what will be clicked, and at nothing else', () => {
  expect(run.output).toContain('✓ region: banner')
  expect(failureIn(run, 'pictures.test.ts > region: none\n')).toMatch(
    /distance +\d+ of 64 bits in the square of 160 pixels around 480, 400, /,
  )
})

test('a picture that cannot be compared misses, and it is said why', () => {
  expect(failureIn(run, 'pictures.test.ts > anthropic: broken\n')).toMatch(
    /distance +none: the one asked cannot be read: /,
  )
  expect(failureIn(run, 'pictures.test.ts > anthropic: animated\n')).toMatch(
    /distance +none: the one asked is animated/,
  )
})

test('where pictures compare by their content, a miss names the option', () => {
  expect(failureIn(run, 'pictures.test.ts > exact: moved\n')).toContain(
    "images: { match: 'phash' }",
  )
})

test('without sharp, a picture that would have to be looked at fails the test with the way out', async () => {
  const other = await project.run(['-t', 'openai: moved'], {
    NODE_OPTIONS: `--require ${join(project.dir, 'no-sharp.cjs')}`,
  })
  expect(other.exitCode, other.output).toBe(1)
  const failure = failureIn(other, 'pictures.test.ts > openai: moved\n')
  await expectGolden(failure.trimEnd(), 'without-sharp')
})

test.for(pools.filter((one) => one !== 'forks'))(
  'pictures are compared in the pool %s',
  async (pool) => {
    const other = await project.run(['--pool', pool, '-t', '(?:anthropic|openai|region): moved'])
    expect(other.exitCode, other.output).toBe(0)
  },
)

async function drawPictures(): Promise<void> {
  const write = (name: string, bytes: Uint8Array): void =>
    writeFileSync(join(project.dir, `${name}.png`), bytes)
  const plain = Buffer.from(await screenshot(), 'base64')
  write('plain', plain)
  write('moved', Buffer.from(await screenshot({ shift: 1 }), 'base64'))
  write('none', Buffer.from(await screenshot({ button: 'none' }), 'base64'))
  write('banner', Buffer.from(await screenshot({ banner: true }), 'base64'))
  write('broken', plain.subarray(0, 1_500))
  const frames = [drawScreen(), drawScreen({ banner: true })]
  write(
    'animated',
    await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer(),
  )
}

function bytesOf(name: string): Buffer {
  return readFileSync(join(project.dir, `${name}.png`))
}
