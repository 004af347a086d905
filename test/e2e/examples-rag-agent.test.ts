import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { beforeEach, expect, test } from 'vitest'
import { failureIn, VitestProject } from './vitest-project.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const SEARCHING = 'test/rag-agent.test.ts > it searches'
const SEARCH_URL = /^ +SEARCH_URL: .*\n/m

// Its cassettes are committed: nothing is started here that could answer.
let project: VitestProject

beforeEach(() => {
  project = new VitestProject(`${root}examples/rag-agent`)
})

test('the RAG agent replays embedding, vector store, search and answer from one cassette a test', async () => {
  const run = await project.run([], { CI: '1' })
  expect(run.exitCode, run.output).toBe(0)
  expect(run.output).toContain('Exchanges  7 replayed')
  const urls = project.exchanges('it-searches').map(({ request }) => new URL(request.url).port)
  expect(urls).toEqual(['4020', '4021', '4022', '4020'])
})

test('another search fails with the words that changed, as its README shows', async () => {
  const run = await project.runEdited(
    'src/web-search.ts',
    'q: question',
    'q: `${question} in 2026`',
  )
  expect(run.exitCode).toBe(1)
  expect(failureIn(run, SEARCHING)).toContain(shownBelow('Another search'))
})

test('other passages of the vector store, or another vector, fail too', async () => {
  const file = 'src/vector-store.ts'
  const limit = await project.runEdited(file, 'limit: 2', 'limit: 3')
  expect(limit.output).toMatch(/Tests {2}2 failed/)
  expect(limit.output).toContain('limit')
  const vector = await project.runEdited(
    file,
    'JSON.stringify({ query,',
    'JSON.stringify({ query: [0, 0, 1],',
  )
  expect(vector.output).toMatch(/Tests {2}2 failed/)
})

test('a request to a host that no option names is refused, as its README shows', async () => {
  project.write('vitest.config.ts', project.read('vitest.config.ts').replace(SEARCH_URL, ''))
  const run = await project.run()
  expect(run.exitCode).toBe(1)
  expect(failureIn(run, SEARCHING)).toContain(shownBelow('A request that nobody expected'))
})

test('with the options of docs/side-requests.md, requests to the services are compared with the cassette', async () => {
  const page = readFileSync(`${root}docs/side-requests.md`, 'utf8')
  const [, section] = page.split('## Tools, vector stores and search')
  const [, options] = /plugins: \[(cassettes\(\{[^]*?\}\))\],/.exec(section!)!
  const config = project.read('vitest.config.ts').replace(/cassettes\(\{[^]*?\n {4}\}\)/, options!)
  project.write(
    'vitest.config.ts',
    config.replace('http://127.0.0.1:4021', 'https://rag.cloud.qdrant.io'),
  )
  const failure = failureIn(await project.run(), SEARCHING)
  expect(failure).toContain(
    'request   POST https://rag.cloud.qdrant.io/collections/handbook/points/query',
  )
  expect(failure).toContain('closest   exchange-2')
})

/** What the README shows below a heading. */
function shownBelow(heading: string): string {
  const [, below] = project.read('README.md').split(`## ${heading}\n`)
  return /```\n([^]+?)\n```/.exec(below!)![1]!
}
