import { expect, test } from 'vitest'
import type { Cassette } from '../../../src/cassette/cassette.ts'
import { describeTurns, type Turn } from '../../../src/recording/describe.ts'
import { readIncoming } from '../../../src/engine/incoming.ts'
import { readText } from '../../../src/wire/body.ts'
import type { Finding } from '../../../src/tools/verify/verify-cassettes.ts'
import { expectGolden } from '../../golden.ts'
import { CliProject } from '../run-cli.ts'

const FILES = 'https://files.example.org/abc?part=1'

function turn(url: string, status: number, location?: string): Turn {
  const headers = { 'content-type': 'text/plain', ...(location ? { location } : {}) }
  const incoming = readIncoming({ method: 'GET', url, body: { kind: 'empty' } })
  return { incoming, response: { status, headers, body: readText('a text') } }
}

const content = (status: number, location?: string): Turn =>
  turn('https://api.openai.com/v1/files/7/content', status, location)

/** What `verify` says of the redirects of a cassette that is in order otherwise. */
async function findings(turns: Turn[], ...words: string[]): Promise<Finding[]> {
  using project = new CliProject()
  const cassette: Cassette = {
    conversationId: 'a.test.ts > asks',
    timestamp: '2026-01-01T00:00:00.000Z',
    exchanges: describeTurns(turns),
  }
  await project.save('a.test.ts/asks-0123456789.json', cassette)
  const { out } = await project.run('verify', '--json', ...words)
  const { findings } = JSON.parse(out) as { findings: Finding[] }
  expect(findings.filter(({ check }) => /hash|seal|readable|unreadable/.test(check))).toEqual([])
  return findings.filter(({ check }) => check === 'redirects')
}

test.each([301, 302, 303, 307, 308, 201, 202])(
  'a location on another host is found where nothing is recorded there: %d',
  async (status) => {
    expect(await findings([content(200), content(status, FILES)])).toMatchObject([
      {
        severity: 'error',
        place: '/exchanges/1/response/sent/headers/location',
        line: expect.any(Number),
        problem: expect.stringContaining('files.example.org'),
      },
    ])
  },
)

test('the finding says where the location leads, and how to allow that', async () => {
  const [found] = await findings([content(302, FILES)])
  await expectGolden(found!.problem, 'location')
})

test('a location on another host is no finding where what it leads to is recorded, whatever its query', async () => {
  expect(await findings([content(302, FILES), turn(`${FILES}2`, 200)])).toEqual([])
})

test('a location on another host is found where only another path of it is recorded', async () => {
  const other = turn('https://files.example.org/other', 200)
  expect(await findings([content(302, FILES), other])).toHaveLength(1)
})

test.each([
  '/v1/elsewhere',
  'elsewhere',
  'https://api.openai.com./v1',
  'https://API.openai.com:443/',
])('a location on the same host is no finding: %s', async (location) => {
  expect(await findings([content(307, location)])).toEqual([])
})

test.each([
  ['//thief.invalid/', 1],
  ['\\\\thief.invalid/', 1],
  ['http://api.openai.com:81/', 1],
  ['http://127.0.0.1/', 1],
  ['http://api.openai.com/', 1],
])('a location on another host is found in any spelling: %s', async (location, count) => {
  expect(await findings([content(307, location)])).toHaveLength(count)
})

test('a person can name the hosts to which a location may lead', async () => {
  const turns = [content(302, FILES)]
  expect(await findings(turns, '--allow-hosts', 'a.example,*.example.org')).toEqual([])
  expect(await findings(turns, '--allow-hosts', 'a.example')).toHaveLength(1)
})
