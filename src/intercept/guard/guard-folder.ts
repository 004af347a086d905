import { appendFileSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import type { GuardPolicy } from './guard-policy.ts'

/** How the folders of all guards begin, so that one `node` of ours never starts another. */
const PREFIX = 'vitest-cassette-guard-'

/** What children write into a folder. */
const REPORT = 'report.jsonl'

/** Where a shell looks that has no PATH. */
const USUAL_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/**
 * A policy with a folder of its own for what its children report, and with a `node` that loads the guard into the Node
 * that would have been started, also where a command or script drops NODE_OPTIONS. Yarn does the same.
 */
export function withShim(policy: GuardPolicy): GuardPolicy {
  const folder = mkdtempSync(join(tmpdir(), PREFIX))
  const shimmed = { ...policy, folder }
  if (process.platform === 'win32') return shimmed
  // Where the whole environment is dropped, what is to be guarded stands here.
  const script = `#!/bin/sh
# Loads the guard of vitest-cassette into the Node that is next in the PATH.
[ "\${VITEST_CASSETTE_GUARD+set}" ] || export VITEST_CASSETTE_GUARD=${quote(JSON.stringify(shimmed))}
IFS=:
set -f
for dir in $PATH; do
  case $dir in */${PREFIX}*) continue ;; esac
  [ -x "$dir/node" ] && exec "$dir/node" --require ${quote(policy.file)} "$@"
done
echo 'node: not found' >&2
exit 127
`
  writeFileSync(join(folder, 'node'), script, { mode: 0o755 })
  return shimmed
}

/** The PATH of a child, in which the `node` of a policy comes first, as long as it is there; npm puts others first. */
export function pathWithShim(
  { folder }: GuardPolicy,
  path: string | undefined,
): string | undefined {
  if (!folder || !existsSync(join(folder, 'node'))) return path
  const others = (path ?? USUAL_PATH).split(delimiter).filter((one) => one !== folder)
  return [folder, ...others].join(delimiter)
}

/** Tells the test that started this child what the child did. */
export function report(text: string, { folder, reports }: GuardPolicy): void {
  // Once the test has ended, nobody reads.
  if (!reports || !folder || !existsSync(folder)) return
  appendFileSync(join(folder, REPORT), `${JSON.stringify(text)}\n`)
}

/** What the children of a test told, a line each. */
export function readReport(folder: string): string[] {
  const path = join(folder, REPORT)
  return existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : []
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
