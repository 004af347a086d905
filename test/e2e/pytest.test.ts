import { existsSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { needs } from '../needs.ts'
import { startUpstream, type Upstream } from '../upstream/start-upstream.ts'
import { VitestProject } from './vitest-project.ts'

const TESTS = `import json, os, urllib.request

def ask(question):
    body = {"model": "gpt-5", "messages": [{"role": "user", "content": question}]}
    headers = {"content-type": "application/json", "authorization": "Bearer " + os.environ["OPENAI_API_KEY"]}
    url = os.environ["OPENAI_BASE_URL"] + "/chat/completions"
    request = urllib.request.Request(url, json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request) as response:
        return json.load(response)["choices"][0]["message"]["content"]

def test_tea():
    assert "tea" in ask("tea")

def test_swallows():
    try: ask(os.environ.get("QUESTION", "milk"))
    except Exception: pass
`

const LITERAL = `import http.client, json, os, urllib.request

BODY = json.dumps({"model": "gpt-5", "messages": [{"role": "user", "content": "tea"}]})
HEADERS = {"content-type": "application/json", "authorization": "Bearer " + os.environ["OPENAI_API_KEY"]}

def test_proxied():
    url = "http://" + os.environ["ADDRESS"] + "/v1/chat/completions"
    with urllib.request.urlopen(urllib.request.Request(url, BODY.encode(), HEADERS)) as response:
        assert "tea" in json.load(response)["choices"][0]["message"]["content"]

def test_direct():
    try:
        connection = http.client.HTTPConnection(os.environ["ADDRESS"])
        connection.request("POST", "/v1/chat/completions", BODY, HEADERS)
    except OSError: pass
`

describe('the fixture for pytest in the docs', { ...needs('pytest'), shuffle: false }, () => {
  let upstream: Upstream
  let project: VitestProject
  const pytest = (words: string, env: Record<string, string> = {}) =>
    project.shell(`python3 -m pytest -p no:cacheprovider ${words}`, env)

  beforeAll(async () => {
    upstream = await startUpstream()
    project = new VitestProject('gateway')
    const docs = readFileSync(`${import.meta.dirname}/../../docs/other-runners.md`, 'utf8')
    const [, fixture] = /```python\n(# conftest\.py\n[^]+?)```/.exec(docs)!
    project.write('conftest.py', fixture!)
    project.write('test_tea.py', TESTS)
    project.write('package.json', '{ "private": true }')
  })
  afterAll(() => upstream.stop())

  test('records a cassette for each test, and replays it with the provider away', async () => {
    const real = { OPENAI_BASE_URL: `${upstream.oddUrl}/v1`, OPENAI_API_KEY: 'sk-real' }
    const recorded = await pytest('', { ...real, RECORD: '1' })
    expect(recorded.exitCode, recorded.output).toBe(0)
    const names = ['test_tea-py-test_swallows.json', 'test_tea-py-test_tea.json']
    expect(project.files()).toEqual(names)
    const before = await upstream.count()
    const replayed = await pytest('', { OPENAI_BASE_URL: real.OPENAI_BASE_URL })
    expect(replayed.exitCode, replayed.output).toBe(0)
    expect(await upstream.count()).toBe(before)
  })

  test('a changed prompt fails its test, with the diff and the command of pytest', async () => {
    const changed = await pytest('', {
      OPENAI_BASE_URL: `${upstream.oddUrl}/v1`,
      QUESTION: 'oat milk',
    })
    expect(changed.exitCode, changed.output).toBe(1)
    expect(changed.output).toContain('+ oat milk')
    expect(changed.output).toContain("RECORD=1 pytest 'test_tea.py::test_swallows'")
    expect(changed.output).toContain('1 error')
  })

  test('a part of the tests fails for none of the others', async () => {
    const part = await pytest('-k test_tea.py', { OPENAI_BASE_URL: `${upstream.oddUrl}/v1` })
    expect(part.exitCode, part.output).toBe(0)
  })

  test('a literal address is recorded and replayed through the proxy, and what takes no proxy fails', async () => {
    project.write('test_literal.py', LITERAL)
    const real = {
      OPENAI_API_KEY: 'sk-real',
      ADDRESS: new URL(upstream.oddUrl).host,
      OPENAI_BASE_URL: `${upstream.oddUrl}/v1`,
    }
    const recorded = await pytest('test_literal.py -k proxied', { ...real, RECORD: '1' })
    expect(recorded.exitCode, recorded.output).toBe(0)
    expect(project.files()).toContain('test_literal-py-test_proxied.json')
    const before = await upstream.count()
    const replayed = await pytest('test_literal.py -k proxied', real)
    expect(replayed.exitCode, replayed.output).toBe(0)
    for (const RECORD of ['', '1']) {
      const direct = await pytest('test_literal.py -k direct', { ...real, RECORD })
      expect(direct.exitCode, direct.output).toBe(1)
      expect(direct.output).toContain('past the gateway is refused')
      expect(direct.output).toContain('test_literal.py:')
    }
    project.remove('test_literal.py')
    expect(await upstream.count()).toBe(before)
  })

  test.each([{ RECORD: '1' }, { RECORD: '' }])(
    'inside of the command run, each cassette is answered by its own gateway, whose address none holds: %j',
    async ({ RECORD }) => {
      const real = { OPENAI_BASE_URL: `${upstream.oddUrl}/v1`, OPENAI_API_KEY: 'sk-real', RECORD }
      const words =
        'run --cassette around.json --unused warn -- python3 -m pytest -p no:cacheprovider'
      const run = await project.cli(words, real)
      expect(run.exitCode, run.output).toBe(0)
      const cassettes = ['test_tea-py-test_swallows.json', 'test_tea-py-test_tea.json']
      const texts = cassettes.map((name) => project.read(`__recordings__/${name}`))
      const around = existsSync(`${project.dir}/around.json`) ? project.read('around.json') : ''
      for (const text of [...texts, around])
        expect(text).not.toMatch(/"url": "http:..127\.0\.0\.1:\d+\/[\w-]{16,}/)
    },
  )
})
