import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { explainOldNode, refuseOldNode } from '../../src/config/old-node.ts'
import { coded, expectGolden, failureOf } from '../golden.ts'

test.each(['18.20.8', '20.20.2', '21.7.3', '22.0.0', '22.11.0'])(
  'Node %s is too old',
  (version) => {
    const line = explainOldNode(version)
    for (const release of ['22.12', version]) expect(line).toContain(`Node ${release}`)
    expect(() => refuseOldNode(version)).toThrow(coded('unsupported-node'))
    expect(() => refuseOldNode(version)).toThrow(line)
  },
)

test('the refusal of a Node names both releases', async () => {
  await expectGolden(await failureOf(() => refuseOldNode('20.20.2')), 'too-old')
})

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
  expect(explainOldNode('1.0.0')).toContain(`Node ${oldest} `)
})
