import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ProgramOwner } from '../../src/runners/open-program.ts'
import { ownCommand } from '../../src/runners/program/program-failures.ts'

/** A folder outside of the working directory. */
function elsewhere(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'program-owner-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(join(folder, '__recordings__/agents'), { recursive: true })
  return folder
}

test('for a cassette below it, the current folder is the project', () => {
  const { root, dir } = new ProgramOwner('__recordings__/a.json')
  expect([root, dir]).toEqual([process.cwd(), '__recordings__'])
})

test('for a cassette elsewhere, its package is the project, and what is kept outside of git is not beside the cassette', () => {
  const folder = elsewhere()
  writeFileSync(join(folder, 'package.json'), '{}')
  const path = join(folder, '__recordings__/agents/a.json')
  for (const named of [path, relative(process.cwd(), path)]) {
    const owner = new ProgramOwner(named)
    expect([owner.root, owner.dir, owner.path()]).toEqual([
      folder,
      '__recordings__/agents',
      'a.json',
    ])
  }
})

test('a path of its project is shown as it leads there from the current folder', () => {
  const folder = elsewhere()
  const owner = new ProgramOwner(join(folder, '__recordings__/a.json'))
  const kept = 'node_modules/.cache/vitest-cassette/parked/a.json'
  expect(owner.shown(kept)).toBe(join(owner.root, kept))
  expect(new ProgramOwner('__recordings__/a.json').shown(kept)).toBe(kept)
})

test('a cassette elsewhere is named by its place in its package, wherever the program starts', () => {
  const root = mkdtempSync(join(tmpdir(), 'program-owner-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  mkdirSync(join(root, 'lib'))
  writeFileSync(join(root, 'package.json'), '{}')
  const path = join(root, 'lib/__recordings__/b.json')
  for (const spelled of [path, relative(process.cwd(), path)]) {
    const owner = new ProgramOwner(spelled, 'node b.mjs')
    expect(owner.id).toBe('lib/__recordings__/b.json')
    expect([owner.root, owner.dir]).toEqual([root, 'lib/__recordings__'])
  }
})

test('a cassette below the current folder is named from there, also by a whole path', () => {
  for (const spelled of ['recordings/b.json', join(process.cwd(), 'recordings/b.json')])
    expect(new ProgramOwner(spelled, '').id).toBe('recordings/b.json')
})

test.for([
  ['/app/node_modules/mocha/bin/mocha.js', 'npx mocha'],
  ['/app/node_modules/.bin/mocha', 'npx mocha'],
  ['/app/node_modules/a/node_modules/tap/dist/bin.mjs', 'npx tap'],
  [`${process.cwd()}/node_modules/@scope/a/bin.js`, 'node node_modules/@scope/a/bin.js'],
  [`${process.cwd()}/tools/ask.mjs`, 'node tools/ask.mjs'],
])('the command of %s that records is %s', ([program, command]) => {
  expect(ownCommand(['node', program!])).toBe(`RECORD=1 ${command}`)
})

test('the command in a test of Vitest is that of all tests', () => {
  expect(ownCommand(['node', '/app/node_modules/vitest/dist/workers/forks.js'])).toBe(
    'npx vitest-cassette record',
  )
})

test('the command of a program has its arguments, quoted', () => {
  expect(ownCommand(['node', 'src/cli.ts', 'otters', 'two words'])).toBe(
    "RECORD=1 node src/cli.ts otters 'two words'",
  )
})
