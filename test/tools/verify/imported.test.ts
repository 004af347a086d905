import { expect, test } from 'vitest'
import { cassettePath, conversationId } from '../../../src/cassette/paths.ts'
import { readIncoming } from '../../../src/engine/incoming.ts'
import { describeTurns } from '../../../src/recording/describe.ts'
import { readText } from '../../../src/wire/body.ts'
import { expectGolden } from '../../golden.ts'
import { CliProject } from '../run-cli.ts'

const PLACE = { file: 'agent.test.ts', titles: ['asks'], ordinal: 0 }

async function openProject(): Promise<CliProject> {
  const project = new CliProject()
  const turn = {
    incoming: readIncoming({
      method: 'POST',
      url: 'https://unknown.invalid/v1/messages',
      imported: {
        from: 'vcr',
        unknown: ['host', 'headers'],
        respelled: true,
        redacted: ['<ACCOUNT>'],
      },
      body: readText('{"model":"claude-sonnet-5","messages":[{"role":"user","content":"Hi"}]}'),
    }),
    response: {
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: readText('{"type":"message","content":[{"type":"text","text":"Hello."}]}'),
    },
  }
  await project.save(cassettePath(PLACE), {
    conversationId: conversationId(PLACE),
    timestamp: '2026-01-01T00:00:00.000Z',
    exchanges: describeTurns([turn]),
  })
  return project
}

const warningIn = (out: string): string | undefined =>
  out.split('\n').find((line) => line.includes('/request/imported'))

test('verify names the unknown parts of an imported request, and the command that records them', async () => {
  using project = await openProject()
  const { out } = await project.run('verify')
  await expectGolden(warningIn(out)!, 'unknown-parts')
})

test('show names the unknown parts of an imported request', async () => {
  using project = await openProject()
  const { out } = await project.run('show', 'agent')
  expect(out).toMatch(/imported +exchange-1: from vcr\b.*: host, headers/)
})
