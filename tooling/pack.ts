// Prepares a release: builds, and removes the fields for contributors from package.json. `--restore` puts them back,
// `--check` only says whether this may be published.
import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const manifest = `${root}package.json`
const kept = `${root}node_modules/.package.json`

/** Fields that mean nothing to users of the package, or mislead their package manager. */
const OURS = ['workspaces', 'scripts', 'devDependencies', 'optionalDependencies', 'overrides']

/** Fields that only the owner knows: the page of the registry makes its links from them. */
const OWNERS = ['repository', 'homepage', 'bugs']

const { argv, env } = process

// Restores the manifest after an interrupted run.
if (existsSync(kept)) {
  copyFileSync(kept, manifest)
  rmSync(kept)
}
if (!argv.includes('--restore')) {
  const fields = JSON.parse(readFileSync(manifest, 'utf8')) as Record<string, unknown>
  if (env.npm_command === 'publish' || argv.includes('--check')) refuseUnready(fields)
  if (!argv.includes('--check')) prepare(fields)
}

function prepare(fields: Record<string, unknown>): void {
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio: 'inherit' })
  copyFileSync(manifest, kept)
  const published = Object.entries(fields).filter(([name]) => !OURS.includes(name))
  writeFileSync(manifest, `${JSON.stringify(Object.fromEntries(published), null, 2)}\n`)
}

/** Names all that is missing, and publishes nothing. */
function refuseUnready(fields: Record<string, unknown>): void {
  const version = String(fields.version)
  const changelog = readFileSync(`${root}CHANGELOG.md`, 'utf8')
  const tag = env.GITHUB_REF_TYPE === 'tag' ? env.GITHUB_REF_NAME : undefined
  const missing = OWNERS.filter((name) => !fields[name])
  const problems = [
    ...(missing.length > 0
      ? [
          `package.json has no ${missing.join(', no ')}, so links on the page of the registry lead nowhere`,
        ]
      : []),
    ...(tag !== undefined && tag !== `v${version}`
      ? [`the tag is ${tag}, and the version of package.json ${version}`]
      : []),
    ...(changelog.split('\n').some((line) => `${line} `.startsWith(`## ${version} `))
      ? []
      : [`CHANGELOG.md has no heading "## ${version}"`]),
  ]
  if (problems.length === 0) return
  process.stderr.write(
    `Nothing is published:\n${problems.map((one) => `  ${one}\n`).join('')}See "Publishing" in CONTRIBUTING.md.\n`,
  )
  process.exit(1)
}
