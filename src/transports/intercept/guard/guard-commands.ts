/** Ways to set NODE_OPTIONS anew or to take it away; `NODE_OPTIONS="$NODE_OPTIONS …"` keeps what was there. */
const DROPS_OPTIONS =
  /\bNODE_OPTIONS=(?!["']?[^\s"']*\$\{?NODE_OPTIONS\b)|\bunset\b[^;|&\n]*\bNODE_OPTIONS\b|\benv\b[^;|&\n]*\s(?:-u\s*|--unset[=\s])NODE_OPTIONS\b/

/** Ways to take the whole environment away. */
const DROPS_ALL = /\benv\s+(?:[^;|&\n]*\s)?(?:-[a-z]*i[a-z]*|-|--ignore-environment)(?=\s)/

/** Ways to set a PATH that does not begin with the current one. */
const DROPS_PATH = /\bPATH=(?!["']?\$\{?PATH\b)/

/** Ways to start Node by its path. */
const NODE_BY_PATH =
  /[\\/]bin[\\/]node(?:js)?\b(?![\\/.-])|\bnode\.exe\b|\$\{?(?:npm_node_execpath|NODE)\b/

/** Names of Node, and of programs that start it. */
const NODE =
  /(?<![\w./=-])(?:node(?:js)?|npm|npx|pnpm|pnpx|yarn|corepack|tsx|ts-node|vite-node)(?=$|[\s"';|&)])|\.[cm]?[jt]s\b/

/**
 * Whether a command starts Node without its guard: it drops the variable that loads the guard, and does not find the
 * `node` of the guard in the PATH either.
 *
 * @param shim the folder of that `node`, where there is one
 */
export function losesGuard(command: string, shim: string | undefined): boolean {
  const byPath = NODE_BY_PATH.test(command) || command.includes(process.execPath)
  const starts = byPath || NODE.test(command)
  if (!starts) return false
  const dropsAll = DROPS_ALL.test(command)
  if (!dropsAll && !DROPS_OPTIONS.test(command)) return false
  if (byPath || !shim) return true
  if (command.includes(shim)) return false
  return dropsAll ? DROPS_PATH.test(command) || !/\bPATH=/.test(command) : DROPS_PATH.test(command)
}

/** The error text for a command that would start Node without its guard. */
export function explainLostGuard(command: string): string {
  const shown = command.length > 200 ? `${command.slice(0, 200)}…` : command
  return (
    `The command \`${shown}\` takes the guard of vitest-cassette away from Node, which could then reach a provider: it is not started.\n` +
    'Keep the value of the variable (NODE_OPTIONS="$NODE_OPTIONS --your-option"), or call Node by its name, and ' +
    'let a PATH begin with the one that is there (env -i PATH="$PATH:…" node …).'
  )
}
