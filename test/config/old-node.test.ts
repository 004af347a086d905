import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { explainOldNode, refuseOldNode } from '../../src/config/old-node.ts'

test.each(['18.20.8', '20.20.2', '21.7.3', '22.0.0', '22.11.0'])(
  'Node %s is too old',
  (version) => {
    const line = `vitest-cassette needs Node 22.12 or later, and this is Node ${version}.`
    expect(explainOldNode(version)).toBe(line)
    expect(() => refuseOldNode(version)).toThrow(line)
  },
)

test.each(['22.12.0', '22.23.1', '23.0.0', '24.0.0', '26.1.0', process.versions.node])(
  'Node %s is not',
  (version) => {
    expect(explainOldNode(version)).toBeUndefined()
    expect(() => refuseOldNode(version)).not.toThrow()
  },
)

test('package.json names the same release', () => {
  const path = new URL('../../package.json', import.meta.url)
  const { engines } = JSON.parse(readFileSync(path, 'utf8')) as { engines: { node: string } }
  const [oldest] = /\d+\.\d+/.exec(engines.node)!
  expect(explainOldNode('1.0.0')).toContain(`Node ${oldest} or later`)
})
