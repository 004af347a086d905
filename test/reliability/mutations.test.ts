import fc from 'fast-check'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { printCassette, type StoredCassette } from '../../src/cassette/format.ts'
import { times } from '../effort.ts'
import { mutate, mutation, type Mutation } from './mutate.ts'
import { MutatedProject } from './mutated-project.ts'

/** How many changes are tried. */
const RUNS = times(150, 400)

let project: MutatedProject

beforeAll(async () => {
  project = new MutatedProject()
  await project.fill()
})

afterAll(() => project[Symbol.dispose]())

test('what was recorded has no finding', async () => {
  expect(await project.findings()).toEqual([])
})

test('a change of a cassette is found by verify, or changes nothing that anybody sees', async () => {
  const views = new Map<string, string>()
  const counted = { found: 0, unseen: 0, same: 0 }
  const tried = async (index: number, change: Mutation, printed: boolean): Promise<void> => {
    const file = project.files[index % project.files.length]!
    const text = project.read(file)
    const print = (value: unknown): string =>
      printed ? printCassette(value as StoredCassette) : `${JSON.stringify(value, null, 2)}\n`
    const changed = mutate(text, change, print)
    if (changed === text) return void counted.same++
    const before = views.get(file) ?? (await project.view(file))
    views.set(file, before)
    project.write(file, changed)
    try {
      const findings = await project.findings(file)
      if (findings.length > 0) return void counted.found++
      expect(await project.view(file)).toBe(before)
      counted.unseen++
    } finally {
      project.write(file, text)
    }
  }
  await check(fc.asyncProperty(fc.nat(), mutation, fc.boolean(), tried))
  console.log(`${counted.found} found, ${counted.unseen} change nothing that is seen`)
  expect(counted.found).toBeGreaterThan(RUNS / 2)
}, 600_000)

test('a change of a blob is found, whatever becomes of it', async () => {
  const how = fc.constantFrom('edit', 'empty', 'remove', 'rename', 'swap', 'copy')
  const tried = async (at: number, byte: number, what: string): Promise<void> => {
    const name = project.blobs[at % project.blobs.length]!
    const file = `blobs/${name}`
    const path = `${project.root}/__recordings__/${file}`
    const bytes = readFileSync(path)
    const other = `blobs/${'0'.repeat(64)}.png`
    if (what === 'edit') {
      const edited = Buffer.from(bytes)
      edited[byte % edited.length]! ^= 1
      project.write(file, edited)
    } else if (what === 'empty') project.write(file, '')
    else if (what === 'copy') project.write(other, bytes)
    else if (what === 'rename') project.move(file, other)
    else if (what === 'swap') {
      const second = project.blobs[(at + 1) % project.blobs.length]!
      project.write(file, readFileSync(`${project.root}/__recordings__/blobs/${second}`))
    } else project.remove(file)
    try {
      expect(await project.findings()).not.toEqual([])
    } finally {
      project.remove(other)
      project.write(file, bytes)
    }
  }
  await check(fc.asyncProperty(fc.nat(), fc.nat(), how, tried), Math.ceil(RUNS / 40))
}, 600_000)

test('a cassette under another name is found', async () => {
  for (const file of project.files) {
    const others = [
      project.files.find((other) => other !== file)!.replace(/-\w+\.json$/, '-0123456789.json'),
      file.replace('a.test.ts/', 'b.test.ts/'),
      file.toUpperCase().replace('.JSON', '.json').replace('A.TEST.TS', 'a.test.ts'),
      `${file.slice(0, -5)}.txt.json`,
    ]
    const other = others[project.files.indexOf(file) % others.length]!
    const text = project.read(file)
    project.write(other, text)
    project.remove(file)
    expect(await project.findings(other)).not.toEqual([])
    project.remove(other)
    project.write(file, text)
  }
}, 600_000)

async function check<T>(property: fc.IAsyncProperty<T>, numRuns: number = RUNS): Promise<void> {
  await fc.assert(property, { numRuns, interruptAfterTimeLimit: 600_000 })
}
