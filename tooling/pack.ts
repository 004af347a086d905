// Prepares a release: builds, and removes the fields for contributors from package.json. `--restore` puts them back.
import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const manifest = `${root}package.json`
const kept = `${root}node_modules/.package.json`

/** Fields that mean nothing to users of the package, or mislead their package manager. */
const OURS = ['workspaces', 'scripts', 'devDependencies']

// Restores the manifest after an interrupted run.
if (existsSync(kept)) {
  copyFileSync(kept, manifest)
  rmSync(kept)
}
if (!process.argv.includes('--restore')) {
  const fields = JSON.parse(readFileSync(manifest, 'utf8')) as Record<string, unknown>
  if (process.env.npm_command === 'publish' && !(fields.repository && fields.homepage))
    throw new Error(
      'package.json names no repository and no homepage, so no link of README.md would work on the page of the registry. ' +
        'See "Publishing" in CONTRIBUTING.md.',
    )
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio: 'inherit' })
  copyFileSync(manifest, kept)
  const published = Object.entries(fields).filter(([name]) => !OURS.includes(name))
  writeFileSync(manifest, `${JSON.stringify(Object.fromEntries(published), null, 2)}\n`)
}
