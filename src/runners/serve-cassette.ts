import { Gateway } from '../transports/gateway.ts'
import { layers } from '../transports/layers.ts'
import { mkdtempSync, rmSync } from '../real/files.ts'
import { tmpdir } from '../real/os.ts'
import { join } from '../real/path.ts'
import { baseUrls, PYTHON_FOLDER, redirected } from '../transports/child-environment.ts'
import { openProgram, type OpenProgram, type ProgramOptions } from './open-program.ts'

/** The options of a cassette for programs that another process starts. */
export interface ServeOptions extends ProgramOptions {
  /** The server for which the gateway stands, if it stands for one. */
  upstream?: string
  /** 0 for any free port. */
  port?: number
  /** The first part of the path of its addresses, which nobody can guess; made anew without it. */
  token?: string
  /** The origins of web pages that may ask, such as `http://localhost:5173`. */
  pages?: readonly string[]
}

/** A cassette that answers the LLM calls of other programs until it is closed. */
export interface ServedCassette extends OpenProgram {
  /** The address at which it answers, with its token if it has one. */
  readonly base: string
  /** Base URLs at its origin, by the variables from which programs read them. */
  readonly baseUrls: Record<string, string>
  /**
   * All variables that a program of a test gets: base URLs, proxy, certificates, and the guard of Python. The base URLs
   * alone, where it stands for one server, or touches nothing.
   */
  readonly env: Record<string, string>
  /** The folder from which a Python program that runs already can import its guard. */
  readonly python: string
}

/**
 * Opens a cassette for other programs.
 *
 * @param recordCommand the command that records it
 * @throws CassetteError as `openCassette` does, and `refused` where no port can be opened
 */
export async function serveCassette(
  { upstream, port, token, pages = [], ...options }: ServeOptions,
  recordCommand: string,
): Promise<ServedCassette> {
  const program = openProgram(options, recordCommand)
  const gateway = new Gateway({ layers, port, pages })
  try {
    await gateway.ready
  } catch (error) {
    program.abandon()
    throw error
  }
  // A server in the place of another one answers at every path, so there is none for a token.
  const base = gateway.admit(program.attempt, upstream === undefined ? token : '')
  if (upstream !== undefined) gateway.standFor(upstream)
  const folder = mkdtempSync(join(tmpdir(), 'vitest-cassette-serve-'))
  const isOff = program.attempt.config.mode === 'off'
  const env =
    upstream !== undefined || isOff
      ? baseUrls(process.env, base)
      : redirected(process.env, { base, authority: gateway.authority }, folder)
  return {
    attempt: program.attempt,
    get exchanges() {
      return program.exchanges
    },
    abandon: () => program.abandon(),
    base,
    baseUrls: baseUrls(process.env, base),
    env,
    python: PYTHON_FOLDER,
    async close(failed) {
      const closed = await program.close(failed)
      await gateway.close()
      rmSync(folder, { recursive: true, force: true })
      return closed
    },
  }
}
