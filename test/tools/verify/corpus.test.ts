import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CassetteStore } from '../../../src/cassette/store.ts'
import { verify } from '../../../src/tools/verify/verify-cassettes.ts'
import { corpusCassettes } from '../../corpus-cassettes.ts'
import { eachCorpus } from '../../corpus.ts'

eachCorpus((corpus) => {
  test('nothing is found in recordings that nobody touched', async () => {
    const root = mkdtempSync(join(tmpdir(), 'vitest-cassette-verify-'))
    const store = new CassetteStore(root, '__recordings__', 1e9)
    for (const [index, cassette] of corpusCassettes(corpus).entries())
      await store.save(`a.test.ts/x-${String(index).padStart(10, '0')}.json`, cassette)
    const { cassettes, exchanges, findings } = await verify(store, root)
    rmSync(root, { recursive: true })
    console.log(`${exchanges} exchanges in ${cassettes} cassettes verified`)
    // The corpus keeps some streams of Bedrock in base64, in which nobody sees an end.
    const meant = new Set(['title', 'test-files', 'broken-answers'])
    expect(findings.filter(({ check }) => !meant.has(check))).toEqual([])
    expect(findings.filter(({ check }) => check === 'broken-answers').length).toBeLessThan(4)
    expect(exchanges).toBe(corpus.length)
  }, 120_000)
})
