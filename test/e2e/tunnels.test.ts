import { createHash, createHmac } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectGolden } from '../golden.ts'
import { needs, pythonWithHttpx } from '../needs.ts'
import { startSquid } from '../upstream/start-squid.ts'
import { startUpstream, type Upstream } from '../upstream/start-upstream.ts'
import { startWorld, type World } from '../upstream/start-world.ts'
import { VitestProject } from './vitest-project.ts'

const CLI = '../node_modules/.bin/vitest-cassette'

let provider: Upstream
let world: World
let project: VitestProject
/** How a person works whose way into the world is a proxy. */
let real: Record<string, string>

beforeAll(async () => {
  provider = await startUpstream()
  world = await startWorld(provider.oddUrl)
  project = new VitestProject('tunnels', { QUESTION: 'Hello' })
  real = {
    HTTPS_PROXY: world.proxy,
    http_proxy: world.proxy,
    NODE_EXTRA_CA_CERTS: world.trust,
    OPENAI_API_KEY: 'sk-real',
    RECORD: '1',
  }
})
afterAll(async () => {
  world.stop()
  await provider.stop()
})

/** Runs a program that knows no base URL; what it printed, without what the gateway says. */
async function run(program: string, environment: Record<string, string> = {}, options = '') {
  const command = `${CLI} run ${options} -- ${program} 2>&1`
  const { output, exitCode } = await project.shell(command, environment)
  const told = output.split('\n').filter((line) => !line.startsWith('[vitest-cassette]'))
  return { exitCode, output, told: told.join('\n') }
}

for (const [way, program, programs] of [
  ['curl, by HTTP/2', 'sh ask.sh', needs('curl')],
  ['curl, by HTTP/1', 'env CURL_OPTIONS=--http1.1 sh ask.sh', needs('curl')],
  ["Python's urllib", 'python3 ask.py', needs('python3')],
  ['httpx', `${pythonWithHttpx()} ask-httpx.py`, needs('httpx')],
] as const)
  test(
    `${way} asks the provider by its own name: recorded, the same bytes in replay, and the diff`,
    programs,
    async () => {
      const cassette = `__recordings__/${program.replaceAll(/\W+/g, '-').toLowerCase()}.json`
      const options = `--cassette ${cassette}`
      const before = world.asked.length
      const recorded = await run(program, real, options)
      expect(recorded.output).toContain(`${cassette}: 2 recorded`)
      expect(recorded.exitCode).toBe(0)
      expect(recorded.told).toContain('Odd: Hello')
      expect(recorded.told).toContain('three')
      if (way.startsWith('curl')) expect(recorded.told).toContain(`over ${way.slice(-6)}`)
      const asked = world.asked.slice(before)
      expect(asked.map(({ url }) => url)).toEqual([
        'https://api.openai.com/v1/chat/completions',
        'https://api.openai.com/v1/chat/completions',
      ])
      expect(asked[0]!.headers.authorization).toBe('Bearer sk-real')
      expect(project.read(cassette)).toContain('"https://api.openai.com/v1/chat/completions"')
      expect(project.read(cassette)).not.toMatch(/secret|127\.0\.0\.1/)

      // Nothing that leads past the gateway is left, and nobody is asked.
      const past = { HTTPS_PROXY: 'http://127.0.0.1:9', NO_PROXY: '*', SSL_CERT_FILE: '/none' }
      const replayed = await run(program, past, options)
      expect(replayed.output).toContain(`${cassette}: 2 replayed`)
      expect(replayed.told).toBe(recorded.told)
      expect(replayed.exitCode).toBe(0)

      const changed = await run(`sh -c '${program} || true'`, { QUESTION: 'Bye' }, options)
      expect(changed.exitCode).toBe(1)
      expect(changed.output).toMatch(/- Hello\n +\+ Bye/)
      expect(world.asked).toHaveLength(before + 2)
    },
  )

test(
  'a gateway of models that no option names is recorded and replayed, where its name says what it is',
  needs('curl'),
  async () => {
    const env = { ...real, OPENAI_HOST: 'llm-gateway.example' }
    const options = '--cassette cassettes/named.json'
    const recorded = await run('sh ask.sh', env, options)
    expect(recorded.output).toContain('cassettes/named.json: 2 recorded')
    const changed = await run(
      "sh -c 'sh ask.sh || true'",
      { ...env, RECORD: '', QUESTION: 'Bye' },
      options,
    )
    expect(changed.exitCode).toBe(1)
    expect(changed.output).toMatch(/- Hello\n +\+ Bye/)
  },
)

test(
  'what is not encrypted is sent to the proxy itself, as programs do it: it may open tunnels to port 443 alone',
  needs('python3'),
  async () => {
    const squid = await startSquid(provider.oddUrl)
    const ask = `import urllib.request as r
body = b'{"model":"gpt-5","messages":[{"role":"user","content":"Hello"}]}'
headers = {"content-type": "application/json"}
url = "http://llm.acme.test:4210/v1/chat/completions?a=1"
print(r.urlopen(r.Request(url, body, headers)).read())`
    project.write('ask-plain.py', ask)
    const env = { ...real, http_proxy: squid.url, HTTPS_PROXY: squid.url }
    const options = '--cassette cassettes/plain.json'
    const recorded = await run('python3 ask-plain.py', env, options)
    squid.stop()
    expect(recorded.output).toContain('cassettes/plain.json: 1 recorded')
    expect(recorded.told).toContain('Odd: Hello')
    const user = `Basic ${Buffer.from('me:secret').toString('base64')}`
    expect(squid.asked).toEqual([
      `POST http://llm.acme.test:4210/v1/chat/completions?a=1 llm.acme.test:4210 ${user}`,
    ])
    const replayed = await run('python3 ask-plain.py', {}, options)
    expect(replayed.output).toContain('cassettes/plain.json: 1 replayed')
    expect(project.read('cassettes/plain.json')).not.toMatch(/secret|bWU6c2VjcmV0/)
  },
)

test(
  'all other hosts are reached by the proxy of the user, and believed as before',
  needs('curl', 'python3'),
  async () => {
    const before = world.asked.length
    const programs = [
      'curl -sS https://curl.example/',
      `python3 -c 'import urllib.request as r; print(r.urlopen("https://python.example/").read())'`,
      'curl -sS http://plain.example/',
      'git ls-remote https://git.example/repository || true',
      'npm ping --registry https://npm.example/ 2>&1 || true',
    ]
    project.write('others.sh', programs.join('\n'))
    const env = { ...real, RECORD: '', npm_config_offline: 'false', npm_config_fetch_retries: '0' }
    const { told, output, exitCode } = await run('sh others.sh', env)
    expect(output.match(/ {2}curl\.example \(sh\)/g)).toHaveLength(1)
    expect(output).not.toContain('plain.example (')
    expect(exitCode).toBe(0)
    expect(told).toContain('This is curl.example')
    expect(told).toContain('This is python.example')
    expect(told).toContain('This is plain.example')
    const asked = world.asked.slice(before).map(({ url }) => url)
    expect(asked).toContain('http://plain.example/')
    expect(asked).toContainEqual(expect.stringMatching(/^https:\/\/git\.example\/repository/))
    expect(asked).toContainEqual(expect.stringMatching(/^https:\/\/npm\.example\//))
    expect(world.tunnels).toContain('curl.example:443')
  },
)

test(
  'a proxy that lets nobody in, or is of another kind, is named to whoever asks by it',
  needs('curl'),
  async () => {
    const proxies = [world.proxy.replace('secret', 'wrong'), 'socks5://127.0.0.1:1080']
    const refusals: string[] = []
    for (const proxy of proxies) {
      const { output } = await run('curl -sv https://curl.example/', { HTTPS_PROXY: proxy })
      refusals.push(/(?<=HTTP\/1\.1 )502 .*/.exec(output)![0])
    }
    await expectGolden(refusals.join('\n'), 'refusing-proxies', {
      [new URL(world.proxy).host]: '<proxy>',
    })
  },
)

test(
  'a signature of Amazon that a program makes holds, and the call is replayed',
  needs('curl'),
  async () => {
    const ask = [
      'curl -sS --aws-sigv4 aws:amz:us-east-1:bedrock --user AKIDEXAMPLE:wJalrXUtnFEMI',
      `-H 'content-type: application/json' -d '{"messages":[{"role":"user","content":[{"text":"Hi"}]}]}'`,
      'https://bedrock-runtime.us-east-1.amazonaws.com/model/amazon.nova-lite-v1%3A0/converse',
    ]
    project.write('bedrock.sh', ask.join(' '))
    const options = '--cassette cassettes/bedrock.json'
    const recorded = await run('sh bedrock.sh', real, options)
    expect(recorded.output).toContain('1 recorded')
    const { url, headers, body } = world.asked.at(-1)!
    expect(url).toBe(
      'https://bedrock-runtime.us-east-1.amazonaws.com/model/amazon.nova-lite-v1%3A0/converse',
    )
    expect(headers.authorization).toBe(signatureOf(url, headers, body))
    const replayed = await run('sh bedrock.sh', {}, options)
    expect(replayed.output).toContain('1 replayed')
    expect(replayed.told).toBe(recorded.told)
  },
)

/** As Amazon reads it, of what arrived there. */
function signatureOf(url: string, headers: Record<string, unknown>, body: string): string {
  const authorization = String(headers.authorization)
  const [, scope = '', names = ''] = /Credential=[^/]+\/(.+?), SignedHeaders=(.+?),/.exec(
    authorization,
  )!
  const hash = (text: string): string => createHash('sha256').update(text).digest('hex')
  const named = names.split(';').map((name) => `${name}:${String(headers[name])}\n`)
  const asked = ['POST', new URL(url).pathname, '', named.join(''), names, hash(body)].join('\n')
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, hash(asked)].join('\n')
  const key = scope
    .split('/')
    .reduce<string | Buffer>(
      (secret, part) => createHmac('sha256', secret).update(part).digest(),
      'AWS4wJalrXUtnFEMI',
    )
  const signature = createHmac('sha256', key).update(text).digest('hex')
  return authorization.replace(/Signature=\w+/, `Signature=${signature}`)
}
