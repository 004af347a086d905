import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ProgramOwner } from '../../src/program/program-owner.ts'

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

test('one below the working directory is named from there, also by a whole path', () => {
  for (const spelled of ['recordings/b.json', join(process.cwd(), 'recordings/b.json')])
    expect(new ProgramOwner(spelled, '').id).toBe('recordings/b.json')
})
