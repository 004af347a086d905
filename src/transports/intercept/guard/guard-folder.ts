import { tmpdir } from '../../../real/os.ts'
import { delimiter, join } from '../../../real/path.ts'
import { existsSync, mkdtempSync, writeFileSync } from '../../../real/files.ts'
import type { GuardPolicy } from './guard-policy.ts'

/** The first part of the name of every guard's folder. The `node` in such a folder skips the others by it. */
const PREFIX = 'vitest-cassette-guard-'

/** Whether a name is that of a guard's folder, which lies among the temporary files. */
export function isGuardFolder(name: string): boolean {
  return name.startsWith(PREFIX) && /^[\w-]+$/.test(name)
}

/** The folders in which a shell without a PATH looks. */
const USUAL_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/**
 * A policy with a new folder. Children write their reports there, and its `node` starts the Node of the PATH under the
 * guard, also where a command or script drops NODE_OPTIONS. Yarn does the same.
 */
export function withShim(policy: GuardPolicy): GuardPolicy {
  const folder = mkdtempSync(join(tmpdir(), PREFIX))
  const shimmed = { ...policy, folder }
  if (process.platform === 'win32') return shimmed
  // The script holds the policy too, for commands that drop the whole environment.
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

/**
 * The PATH of a child, with the `node` of the policy at the front as long as its folder exists. npm puts others in
 * front of it.
 */
export function pathWithShim(
  { folder }: GuardPolicy,
  path: string | undefined,
): string | undefined {
  if (!folder || !existsSync(join(folder, 'node'))) return path
  const others = (path ?? USUAL_PATH).split(delimiter).filter((one) => one !== folder)
  return [folder, ...others].join(delimiter)
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
