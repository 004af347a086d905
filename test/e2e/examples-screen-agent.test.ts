import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { needs } from '../needs.ts'
import { VitestProject, type Run } from './vitest-project.ts'

const example = fileURLToPath(new URL('../../examples/screen-agent', import.meta.url))
const page = 'shop/index.html'
const ORDERING = ['-t', 'orders a lamp']

describe('the screen agent', needs('chromium'), () => {
  let standIn: ChildProcess
  let runs: Record<'unchanged' | 'moved' | 'other' | 'gone' | 'handingOver' | 'again', Run>
  let cassettes: Record<'committed' | 'handedOver' | 'again', string>

  beforeAll(async () => {
    const project = new VitestProject(example)
    const cassette = (): string => project.read(project.cassette('it-orders'))
    // Until the stand-in is started, nothing could answer.
    const committed = cassette()
    const unchanged = await project.run(ORDERING, { CI: '1' })
    const moved = await project.runEdited(
      page,
      '    margin: 0;',
      '    margin: 1px 0 0 1px;',
      ORDERING,
    )
    const other = await project.runEdited(page, 'amount = 1', 'amount = 2', ORDERING)
    const gone = await project.runEdited(page, '<button>Order</button>', '', ORDERING)

    project.edit(page, 'margin-top: 60px', 'margin: 60px 0 0 300px')
    standIn = spawn(process.execPath, [join(example, 'test/stand-in.ts'), '0'])
    const [url] = await once(standIn.stdout!, 'data')
    const live = { STAND_IN_URL: String(url).trim(), ANTHROPIC_API_KEY: 'not wanted' }
    const handingOver = await project.run(ORDERING, { RECORD: 'new', ...live })
    const handedOver = cassette()
    standIn.kill()
    const again = await project.run(ORDERING)
    runs = { unchanged, moved, other, gone, handingOver, again }
    cassettes = { committed, handedOver, again: cassette() }
  }, 240_000)

  afterAll(() => standIn?.kill())

  test('replays, and gets to where it got to when it was recorded', () => {
    expect(runs.unchanged.exitCode, runs.unchanged.output).toBe(0)
    expect(runs.unchanged.output).toContain('5 replayed')
  })

  test('replays where everything on the screen moved by a pixel', () => {
    expect(runs.moved.exitCode, runs.moved.output).toBe(0)
    expect(runs.moved.output).toContain('5 replayed')
  })

  test('says where a replay got to another page that looks the same around the clicks', () => {
    expect(runs.other.exitCode).toBe(1)
    expect(runs.other.output).toContain('diverged at step 1 of 4')
    expect(runs.other.output).toContain('Lamps · 2 in the cart')
    expect(runs.other.output).toContain('5 replayed')
  })

  test('misses where the button is gone, and shows both pictures and how far they are apart', () => {
    expect(runs.gone.exitCode).toBe(1)
    expect(runs.gone.output).toContain('The prompt changed: message 7 (user) result [0]: edited\n')
    expect(runs.gone.output).toMatch(
      /picture {3}__recordings__\/blobs\/\w+\.png, phash \w{16}\n +asked {5}node_modules\/\S+\.png, phash \w{16}\n/,
    )
    expect(runs.gone.output).toMatch(
      /distance {2}\d+ of 64 bits in the square of 160 pixels around 114, 350/,
    )
    expect(runs.gone.output).toContain('3 replayed | 1 missed')
  })

  test('goes on live from the screen that changed, and replays the whole of it the next time', () => {
    const { exitCode, output } = runs.handingOver
    expect(exitCode, output).toBe(0)
    expect(output).toContain('3 replayed | 2 recorded')
    expect(output).toContain(' at exchange 4 of 5')
    expect(runs.again.exitCode, runs.again.output).toBe(0)
    expect(runs.again.output).toContain('5 replayed')
    expect(cassettes.again).toBe(cassettes.handedOver)
    expect(cassettes.handedOver).not.toBe(cassettes.committed)
  })
})
