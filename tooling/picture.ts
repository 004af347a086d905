// Draws docs/failure.svg, the picture of a failing test in the README, from a real run.
import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import installPackage from '../test/e2e/install-package.ts'
import { VitestProject } from '../test/e2e/vitest-project.ts'
import { startUpstream } from '../test/upstream/start-upstream.ts'
import { drawTerminal } from './draw-terminal.ts'

const uninstall = await installPackage()
const upstream = await startUpstream()
const example = fileURLToPath(new URL('../examples/first-steps', import.meta.url))
const project = new VitestProject(example, {
  OPENAI_BASE_URL: `${upstream.url}/v1`,
  FORCE_COLOR: '1',
  NO_COLOR: undefined,
})
await project.record()
await upstream.stop()
project.edit('refund-agent.ts', 'Be brief and kind.', 'Be brief and formal.')
const { output } = await project.run()
uninstall()

const lines = output.split('\n')
const start = lines.findIndex((line) => line.includes(' FAIL '))
const end = lines.findIndex((line) => line.includes('refund-agent.test.ts:'))
mkdirSync(new URL('../docs', import.meta.url), { recursive: true })
writeFileSync(
  new URL('../docs/failure.svg', import.meta.url),
  drawTerminal(lines.slice(start, end + 1)),
)
