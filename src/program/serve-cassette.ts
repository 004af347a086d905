import { Gateway } from '../gateway/gateway.ts'
import { layers } from '../intercept/answer/layers.ts'
import { baseUrls } from '../intercept/redirect/base-urls.ts'
import { openProgram, type OpenProgram, type ProgramOptions } from './open-program.ts'

/** What is served to programs that someone else starts, and where. */
export interface ServeOptions extends ProgramOptions {
  /** The one server that the gateway stands for. */
  upstream?: string
  /** 0 for any that is free. */
  port?: number
}

/** A cassette that answers the LLM calls of other programs, until it is closed. */
export interface ServedCassette extends OpenProgram {
  /** Where it answers. */
  readonly origin: string
  /** Base URLs there, by the variables in which programs look for theirs. */
  readonly baseUrls: Record<string, string>
}

/**
 * Opens a cassette for other programs.
 *
 * @param recordCommand how a person records it
 * @throws CassetteError as `openCassette` does, and `refused` where no port can be opened
 */
export async function serveCassette(
  { upstream, port, ...options }: ServeOptions,
  recordCommand: string,
): Promise<ServedCassette> {
  const program = openProgram(options, recordCommand)
  const gateway = new Gateway({ layers, port })
  try {
    await gateway.ready
  } catch (error) {
    program.abandon()
    throw error
  }
  const base = gateway.admit(program.attempt, '')
  if (upstream !== undefined) gateway.standFor(upstream)
  return {
    attempt: program.attempt,
    get exchanges() {
      return program.exchanges
    },
    abandon: () => program.abandon(),
    origin: gateway.origin!,
    baseUrls: baseUrls(process.env, base),
    async close() {
      const closed = await program.close()
      await gateway.close()
      return closed
    },
  }
}
