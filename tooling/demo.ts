// Shows the main job without a key and without a network: records from a provider on this machine,
// replays with it stopped, changes a prompt and shows the failure.
import { fileURLToPath } from 'node:url'
import pc from 'picocolors'
import installPackage from '../test/e2e/install-package.ts'
import { VitestProject } from '../test/e2e/vitest-project.ts'
import { startUpstream } from '../test/upstream/start-upstream.ts'

const example = fileURLToPath(new URL('../examples/first-steps', import.meta.url))
const color = pc.isColorSupported ? { FORCE_COLOR: '1', NO_COLOR: undefined } : { NO_COLOR: '1' }

process.on('exit', await installPackage())
const upstream = await startUpstream()
const project = new VitestProject(example, { OPENAI_BASE_URL: `${upstream.url}/v1`, ...color })

say(
  '1',
  'An application with a test',
  'An agent that looks up an order before it answers, and a test that calls it with the real OpenAI SDK.',
)
show(project.read('refund-agent.test.ts'))

say(
  '2',
  'npx vitest-cassette record',
  'The provider is called (here: a public mock of it, in a process of its own), and what it answers is recorded.',
)
let run = await project.shell('npx vitest-cassette record')
show(run.output)
expectExit(run.exitCode, 0)

const [cassette] = project.files()
say(
  '3',
  `__recordings__/${cassette}`,
  'One cassette per test, made to be read in a pull request. This is its beginning.',
)
show(project.read(`__recordings__/${cassette}`).split('\n').slice(0, 45).join('\n') + '\n…')

await upstream.stop()
say('4', 'npx vitest run', 'The provider is stopped now. The same test passes from the cassette.')
run = await project.run()
show(run.output)
expectExit(run.exitCode, 0)

project.edit('refund-agent.ts', 'Be brief and kind.', 'Be brief and formal.')
say(
  '5',
  'One word of the prompt changes: kind -> formal',
  'The test fails, and says why and what to do.',
)
run = await project.run()
show(run.output)
expectExit(run.exitCode, 1)

console.log(
  pc.green(
    'That is all. The same in your project: npm i -D vitest-cassette, and the line in vitest.config.ts:',
  ),
)
show(project.read('vitest.config.ts'))

function say(number: string, title: string, text: string): void {
  console.log(`\n${pc.bold(pc.cyan(`${number}. ${title}`))}\n${text}\n`)
}

function show(text: string): void {
  console.log(text.trim().replace(/^/gm, pc.dim('  │ ')))
}

function expectExit(actual: number, expected: number): void {
  if (actual === expected) return
  console.error(pc.red(`Vitest ended with ${actual}; the demo expects ${expected}.`))
  process.exit(1)
}
