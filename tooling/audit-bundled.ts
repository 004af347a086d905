// Asks the registry for known vulnerabilities of the packages of which this one ships code: the audits of users do not
// see that code. The release refuses while there is one.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { BUNDLED } from './bundled-packages.ts'

interface Audit {
  /** By package; `via` has texts where another package is to blame. */
  vulnerabilities?: Record<string, { nodes: string[]; via: Array<string | { title: string }> }>
}

const { stdout, stderr } = spawnSync('npm', ['audit', '--json'], {
  cwd: fileURLToPath(new URL('..', import.meta.url)),
  encoding: 'utf8',
})
const { vulnerabilities } = JSON.parse(stdout || '{}') as Audit
if (!vulnerabilities) throw new Error(`npm audit has no answer:\n${stderr || stdout}`)

const found = BUNDLED.flatMap((name) => {
  const { nodes = [], via = [] } = vulnerabilities[name] ?? {}
  const own = via.filter((one) => typeof one === 'object')
  return nodes.includes(`node_modules/${name}`) ? own.map(({ title }) => `${name}: ${title}`) : []
})
if (found.length > 0) {
  const lines = found.map((one) => `  ${one}\n`).join('')
  process.stderr.write(
    `This package ships code with a known vulnerability:\n${lines}Update it: npm update <package>\n`,
  )
  process.exit(1)
}
