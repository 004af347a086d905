import { expect, test } from 'vitest'
import { explainTunnels } from '../../src/explain/explain-foreign.ts'

test('each host is named once, with the first program that reached it and the options to settle it', () => {
  const text = explainTunnels([
    ['corp.example:443', 'python3'],
    ['git.example:8443', 'git'],
    ['corp.example:443', 'curl'],
  ])
  expect(text.split('\n').slice(1, 3)).toEqual([
    '  corp.example (python3)',
    '  git.example:8443 (git)',
  ])
  expect(text).toContain('add it to the option hosts')
  expect(text).toContain('add it to allowHosts')
})
