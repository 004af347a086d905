import { recording } from '../../text/command-line.ts'
import type { ServeOptions, ServedCassette } from '../../runners/serve-cassette.ts'
import { type Command, defineCommand } from '../terminal/command.ts'
import { CASSETTE_OPTIONS, cassetteOptionsOf, closeWithVerdict, spellRecording } from './served.ts'
import {
  flag,
  invalidCommand,
  takesPath,
  takesText,
  takesTexts,
  type ValuesOf,
} from '../terminal/options.ts'

const OPTIONS = {
  cassette: takesPath('new file', 'the file of the cassette, such as __recordings__/agent.json'),
  ...CASSETTE_OPTIONS,
  upstream: takesText('stand for this one server, at the address of the gateway itself'),
  port: takesText('where to listen on the loopback interface; any that is free, without it'),
  token: takesText('the first part of its addresses, for programs alone; made anew, without it'),
  command: takesText("the command that runs your programs, as 'pytest -k tea': failures name it"),
  json: flag('print { url, token, pid, baseUrls, env, python } as one line, and nothing else'),
  'allow-origin': takesTexts('the origin of a web page that may ask; repeatable'),
}

/** Serves a cassette to programs that others start, until a signal stops it. */
export const serve: Command = defineCommand({
  name: 'serve',
  isHere: true,
  usage:
    '--cassette <file> [--mode new] [--upstream <url>] [--port 4242] [--token <text>] [--hosts <host>]',
  summary: 'answer the LLM calls of other programs with a cassette, at an address of this machine',
  options: OPTIONS,
  async run(_, values, terminal) {
    const options = readOptions(values)
    const stopped = untilStopped()
    // Loaded here, since no other command needs it.
    const { serveCassette } = await import('../../runners/serve-cassette.ts')
    const { command, json, ...spelled } = values
    const again = command === undefined ? spellRecording('serve', spelled) : recording(command)
    const served = await serveCassette(options, again)
    terminal.write(
      json
        ? `${JSON.stringify(dataOf(served))}\n`
        : `${options.path} answers at ${served.base}\n${howToAsk(options, served)}\n`,
    )
    await stopped
    return (await closeWithVerdict(served, options.path, terminal)) ? 0 : 1
  },
})

function readOptions(values: ValuesOf<typeof OPTIONS>): ServeOptions {
  const { cassette: path, upstream, port, token, 'allow-origin': pages = [] } = values
  if (path === undefined)
    throw invalidCommand(
      'Say which cassette:\n  npx vitest-cassette serve --cassette __recordings__/agent.json',
    )
  if (upstream !== undefined && !/^https?:$/.test(URL.parse(upstream)?.protocol ?? ''))
    throw invalidCommand(`--upstream ${upstream} is no address such as https://api.openai.com`)
  if (port !== undefined && !(/^\d+$/.test(port) && Number(port) < 65_536))
    throw invalidCommand(`--port ${port} is no port.`)
  if (token !== undefined && !/^[\w-]{16,}$/.test(token))
    throw invalidCommand(
      '--token takes at least 16 letters, digits, _ and -, which nobody can guess.',
    )
  if (token !== undefined && upstream !== undefined)
    throw invalidCommand('--token and --upstream exclude each other: that server knows no token.')
  return {
    path,
    ...cassetteOptionsOf('serve', values),
    upstream,
    port: port === undefined ? undefined : Number(port),
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
