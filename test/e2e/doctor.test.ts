import { startedBy } from '../../src/config/environment.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectGolden } from '../golden.ts'
import { startUpstream, type Upstream } from '../upstream/start-upstream.ts'
import { failureIn, VitestProject } from './vitest-project.ts'

let upstream: Upstream
let project: VitestProject

beforeAll(async () => {
  upstream = await startUpstream()
  project = new VitestProject('doctor', { ODD_URL: upstream.oddUrl })
  const recording = await project.record()
  expect(recording.exitCode, recording.output).toBe(0)
  await upstream.stop()
})

afterAll(() => upstream.stop())

test('what varies is listed to the end of the conversation, with the line that settles it', async () => {
  const before = project.files()
  const { exitCode, output } = await project.cli('doctor', { CHANGED: '1', WORD: 'kind' })
  expect(exitCode, output).toBe(1)
  expect(output).toContain(`doctor.test.ts > turns
  "Friday, November 20, 2026" → "Saturday, November 21, 2026"  date-phrase
  "/tmp/agent-a1" → "/tmp/agent-b2"  tmp-path
doctor.test.ts > word
  "Friday, November 20, 2026" → "Saturday, November 21, 2026"  date-phrase
  The prompt changed: message 1 (user): text edited`)
  expect(output).toContain("  volatile: ['uuid', 'date-phrase', 'tmp-path']\n")
  expect(output).toContain("vi.setSystemTime(new Date('2026-11-20")
  expect(output).toContain('1 test differs in other ways')
  expect(output).toContain('a rule for it:\n  npx vitest-cassette doctor --twice\n')
  expect(output).not.toContain('declared\n')
  expect(project.files()).toEqual(before)
})

test('the line settles it, and the doctor has nothing to say', async () => {
  const copy = new VitestProject(project.dir, { ODD_URL: upstream.oddUrl })
  copy.edit('vitest.config.ts', "['uuid']", "['uuid', 'date-phrase', 'tmp-path']")
  const { exitCode, output } = await copy.cli('doctor 2>/dev/null', { CHANGED: '1' })
  expect(exitCode, output).toBe(0)
  await expectGolden(output, 'nothing-varies')
})

test.for([
  ['doctor', /^1\n[^]* own\.config\.ts:\n {2}volatile: /],
  ['doctor --twice', /^0\n/],
  ['prune --dry-run --json', /^0\n[^]*"unused": ?\[\]/],
  ['move --detect', /__recordings__\/doctor\.test\.ts\/word-/],
  ['mutate --max 1', /changed answers: /],
] as const)('%s takes a config that Vitest does not find by itself', async ([command, said]) => {
  const copy = new VitestProject(project.dir, { ODD_URL: upstream.oddUrl })
  copy.write('own.config.ts', copy.read('vitest.config.ts'))
  copy.remove('vitest.config.ts')
  if (command.startsWith('move'))
    await copy.shell('cd __recordings__/doctor.test.ts && mv word-*.json renamed-0123456789.json')
  const { exitCode, output } = await copy.cli(`${command} --config own.config.ts 2>&1`, {
    CHANGED: command === 'doctor' ? '1' : '',
  })
  expect(`${exitCode}\n${output}`).toMatch(said)
})

test.each(['doctor', 'doctor --twice'])(
  '%s without the plugin compares nothing, and says so',
  async (command) => {
    const copy = new VitestProject(project.dir)
    copy.edit('vitest.config.ts', "plugins: [cassettes({ volatile: ['uuid'] })]", '')
    copy.write('doctor.test.ts', "import { test } from 'vitest'\ntest('asks no model', () => {})\n")
    const { exitCode, output } = await copy.cli(command)
    expect(exitCode, output).toBe(1)
    expect(output).toMatch(/cassettes\(\).* vitest\.config\.ts/)
  },
)

test('run twice, it lists what differs between the two runs, with the line that settles it', async () => {
  const copy = new VitestProject(project.dir, { ODD_URL: upstream.oddUrl, RANDOM: '1' })
  const random = await copy.cli('doctor --twice')
  expect(random.exitCode, random.output).toBe(1)
  expect(random.output).toMatch(
    /\ndoctor\.test\.ts > run\n {2}\$\.metadata\.run {2}"0\.\d+" → "0\.\d+" {2}'\$\.metadata\.run'\n\n1 value of 1 test differs between/,
  )
  expect(random.output).toContain("in vitest.config.ts:\n  volatile: ['uuid', '$.metadata.run']\n")
  copy.edit('vitest.config.ts', "['uuid']", "['uuid', '$.metadata.run']")
  const declared = await copy.cli('doctor --twice 2>/dev/null')
  expect(declared.exitCode, declared.output).toBe(0)
  await expectGolden(declared.output, 'nothing-differs')
})

test('beside a value that a name recognises, the path of the other one is offered', async () => {
  const copy = new VitestProject(project.dir, { ODD_URL: upstream.oddUrl, RANDOM: '1' })
  const { output } = await copy.cli('doctor')
  expect(output).toMatch(/"try 0\.5" → "try 0\.\d+" {2}\$\.metadata\.run\n/)
  expect(output).toContain("in vitest.config.ts:\n  volatile: ['uuid', '$.metadata.run']\n")
})

test('the report for an issue has versions, sizes and digests, and nothing of the user', async () => {
  const copy = new VitestProject(project.dir, { ODD_URL: upstream.oddUrl })
  copy.edit(
    'vitest.config.ts',
    "volatile: ['uuid']",
    "volatile: ['uuid'], redact: [/zq-pattern/], repeats: 'last'",
  )
  const planted = {
    USER: 'zq-somebody',
    HOME: '/home/zq-somebody',
    OPENAI_API_KEY: 'zq-8LmT1yRw0Xc6k',
  }
  const env = { CHANGED: '1', WORD: 'zq-word', ...planted }
  const report = await copy.cli('doctor --report', env)
  expect(report.exitCode, report.output).toBe(0)
  const { version } = JSON.parse(copy.read('../node_modules/vitest-cassette/package.json'))
  for (const said of [
    `| vitest-cassette | ${version} |`,
    `| Node | ${process.version} |`,
    'pool forks, environment node, ',
    '`repeats`: "last"',
    '`redact`: 1 entry',
    '`volatile`: uuid',
    '- openai-chat by HTTP: ',
    '| edited | message 1 → 1, user, part 1 of 1, text | text, ',
    ': miss, 0 of 1 exchange played',
    '2 values varied: date-phrase, tmp-path',
    '- earlier runs: 4 cassettes, ',
  ])
    expect(report.output).toContain(said)
  const private_ = [
    /zq-/,
    /On |Look|Friday|turns|word/,
    /agent-/,
    copy.dir,
    process.cwd(),
    upstream.oddUrl,
  ]
  for (const text of private_) expect(report.output).not.toMatch(text)
  const written = await copy.cli('doctor --report report.md', env)
  expect(written.output).toContain('The report is in report.md.')
  expect(copy.read('report.md')).toContain('### vitest-cassette doctor --report')
  const json = await copy.cli('doctor --report --json 2>/dev/null', env)
  expect(JSON.parse(json.output)).toMatchObject({ run: { tests: 4, failed: 2 } })
})

test('without the doctor undeclared values are a miss as ever, and with it no run is green', async () => {
  const run = await project.run(['-t', 'turns'], { CHANGED: '1' })
  expect(run.output).toContain('(0 of 3 exchanges played)')
  const diagnosed = await project.run(['-t', 'turns'], {
    CHANGED: '1',
    ...startedBy('doctor', project.dir),
  })
  expect(diagnosed.exitCode).toBe(1)
  const [headline] = failureIn(diagnosed, 'doctor.test.ts > turns').trim().split('\n')
  await expectGolden(headline!, 'only-volatile')
})
