import { recording } from '../../text/command-line.ts'
import type { ServeOptions, ServedCassette } from '../../runners/serve-cassette.ts'
import type { Terminal } from '../terminal/command.ts'
import { CASSETTE_OPTIONS, cassetteOptionsOf, closeWithVerdict, spellRecording } from './served.ts'
import { flag, invalidCommand, takesText, takesTexts, type ValuesOf } from '../terminal/options.ts'

/** The options for programs that others start. */
export const LISTEN_OPTIONS = {
  listen: {
    ...takesText('answer programs that others start, at this port (default: any that is free)'),
    alone: '0',
  },
  upstream: takesText('with --listen: stand for this one server, at the address of the gateway'),
  token: takesText(
    'with --listen: the first part of its addresses, for programs alone (default: a new one)',
  ),
  command: takesText(
    "with --listen: the command that runs your programs, as 'pytest -k tea': failures name it",
  ),
  json: flag('with --listen: print { url, token, pid, baseUrls, env, python } as one line'),
  'allow-origin': takesTexts('with --listen: the origin of a web page that may ask; repeatable'),
}

const OPTIONS = { cassette: takesText(), ...CASSETTE_OPTIONS, ...LISTEN_OPTIONS }

/** Serves a cassette to programs that others start, until a signal stops it. */
export async function listen(
  values: ValuesOf<typeof OPTIONS>,
  terminal: Terminal,
): Promise<number> {
  const options = readOptions(values)
  const stopped = untilStopped()
  // Loaded here, since no other command needs it.
  const { serveCassette } = await import('../../runners/serve-cassette.ts')
  const { command, json, listen: port, ...spelled } = values
  const words = port === '0' ? 'run --listen' : `run --listen ${port}`
  const again = command === undefined ? spellRecording(words, spelled) : recording(command)
  const served = await serveCassette(options, again)
  terminal.write(
    json
      ? `${JSON.stringify(dataOf(served))}\n`
      : `${options.path} answers at ${served.base}\n${howToAsk(options, served)}\n`,
  )
  await stopped
  return (await closeWithVerdict(served, options.path, terminal)) ? 0 : 1
}

function readOptions(values: ValuesOf<typeof OPTIONS>): ServeOptions {
  const { cassette: path, upstream, listen: port, token, 'allow-origin': pages = [] } = values
  if (path === undefined)
    throw invalidCommand(
      'Say which cassette:\n  npx vitest-cassette run --listen --cassette __recordings__/agent.json',
    )
  if (upstream !== undefined && !/^https?:$/.test(URL.parse(upstream)?.protocol ?? ''))
    throw invalidCommand(`--upstream ${upstream} is no address such as https://api.openai.com`)
  if (port !== undefined && !(/^\d+$/.test(port) && Number(port) < 65_536))
    throw invalidCommand(`--listen ${port} is no port.`)
  if (token !== undefined && !/^[\w-]{16,}$/.test(token))
    throw invalidCommand(
      '--token takes at least 16 letters, digits, _ and -, which nobody can guess.',
    )
  if (token !== undefined && upstream !== undefined)
    throw invalidCommand('--token and --upstream exclude each other: that server knows no token.')
  return {
    path,
    ...cassetteOptionsOf('run', values),
    upstream,
    port: Number(port) || undefined,
    token,
    pages: pages.map(originOf),
  }
}

function originOf(page: string): string {
  const { origin = 'null' } = URL.parse(page) ?? {}
  if (origin !== 'null') return origin
  throw invalidCommand(`--allow-origin ${page} is no address such as http://localhost:5173`)
}

/** What `--json` writes. A kill of npx ends npx alone, so the process that serves names itself. */
function dataOf({ base, baseUrls, env, python }: ServedCassette): object {
  const token = new URL(base).pathname.slice(1)
  return { url: base, token, pid: process.pid, baseUrls, env, python }
}

function howToAsk({ upstream }: ServeOptions, { baseUrls }: ServedCassette): string {
  if (upstream !== undefined) return `Requests to this address count as requests to ${upstream}.`
  const { OPENAI_BASE_URL, ANTHROPIC_BASE_URL } = baseUrls
  return [
    'Give your programs their base URL there; any other goes behind the host in the same way:',
    `  OPENAI_BASE_URL=${OPENAI_BASE_URL}`,
    `  ANTHROPIC_BASE_URL=${ANTHROPIC_BASE_URL}`,
    // A kill of npx ends npx alone.
    `Stop it for its verdict: Ctrl+C, or kill ${process.pid}`,
  ].join('\n')
}

/** Resolves at the first signal to stop. A second one ends this process. */
function untilStopped(): Promise<unknown> {
  return new Promise((resolve) => process.once('SIGINT', resolve).once('SIGTERM', resolve))
}
