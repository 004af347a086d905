import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { CassetteStore } from '../../src/cassette/store.ts'
import { isRecorded } from '../../src/cassette/cassette.ts'
import { FORMAT_VERSION } from '../../src/cassette/format.ts'
import { dialectOf, dialects } from '../../src/providers/dialects.ts'
import { verify } from '../../src/tools/verify/verify-cassettes.ts'
import { questions } from './wires.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const recordings = `${root}__recordings__/test/recordings/`

/** The cassettes of one version of the format. */
function cassettesOf(folder: string): { version: string }[] {
  const files = readdirSync(recordings + folder)
  return files.map((file) => JSON.parse(readFileSync(`${recordings}${folder}/${file}`, 'utf8')))
}

test('the format that is written now has its cassettes, and every format keeps its own', () => {
  const folders = readdirSync(recordings)
  expect(folders).toContain(`format-${FORMAT_VERSION}.test.ts`)
  for (const folder of folders) {
    const cassettes = cassettesOf(folder)
    expect(cassettes.length).toBeGreaterThan(questions.length)
    for (const { version } of cassettes) expect(folder).toBe(`format-${version}.test.ts`)
  }
})

test('every wire format has a cassette', () => {
  const folder = `test/recordings/format-${FORMAT_VERSION}.test.ts`
  const cassettes = new CassetteStore(root, '__recordings__', 1e9)
  const recorded = readdirSync(`${root}__recordings__/${folder}`).flatMap(
    (file) => cassettes.load(`${folder}/${file}`)!.exchanges,
  )
  const asked = recorded.filter(isRecorded).map(({ wire }) => dialectOf(wire.request).name)
  expect(dialects.map(({ name }) => name).filter((name) => !asked.includes(name))).toEqual([])
})

test('verify finds nothing in them', async () => {
  const store = new CassetteStore(root, '__recordings__', 1e9)
  const { findings } = await verify(store, root)
  // The provider that was recorded wraps no event of an invoked model, as Bedrock does: nobody can read its end.
  const read = findings.filter(
    ({ check, file }) => !(check === 'broken-answers' && file.includes('bedrock-invoke-stream')),
  )
  expect(read).toEqual([])
})
