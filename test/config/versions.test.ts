import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { refuseOldPackage } from '../../src/features/old-package.ts'
import { expectGolden, failureOf } from '../golden.ts'

test('a package that is too old for what uses it is refused by name, with both versions', async () => {
  const refuse = (version: string | undefined): void =>
    refuseOldPackage('sharp', version, [0, 34], { use: 'images', code: 'invalid-option' })
  const refused = await failureOf(() => refuse('0.33.5'))
  for (const fact of ['images', 'sharp 0.34 ', ' 0.33.5', 'npm install -D sharp@latest'])
    expect(refused).toContain(fact)
  await expectGolden(refused, 'too-old')
  for (const version of ['0.34.0', '0.35.5', '1.0.0-beta.1', undefined]) refuse(version)
})

test('npm installs this package beside every release of its peers, and brings none of them', () => {
  const url = new URL('../../package.json', import.meta.url)
  const { peerDependencies, peerDependenciesMeta } = JSON.parse(readFileSync(url, 'utf8')) as {
    peerDependencies: Record<string, string>
    peerDependenciesMeta: Record<string, { optional?: boolean }>
  }
  // What each of them needs is checked where it is used.
  expect(new Set(Object.values(peerDependencies))).toEqual(new Set(['*']))
  for (const name of Object.keys(peerDependencies))
    expect(peerDependenciesMeta[name]).toEqual({ optional: true })
})
