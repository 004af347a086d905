import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CassetteStore } from '../../../src/cassette/store.ts'
import type { Cassette } from '../../../src/cassette/cassette.ts'
import { cassettePath } from '../../../src/cassette/paths.ts'
import type { JsonObject } from '../../../src/json/json-value.ts'
import type { Report } from '../../../src/tools/rehearse/report.ts'
import { CliProject } from '../run-cli.ts'
import { DriftingProvider } from './drifting-provider.ts'

/** Every prompt that the provider knows an answer to. */
export const PROMPTS = ['weather', 'both', 'order', 'mood', 'hello', 'joke', 'story']

/** A project whose cassettes were recorded from a provider that drifts. */
export class RehearsalProject extends CliProject {
  readonly provider: DriftingProvider

  private constructor(provider: DriftingProvider) {
    super()
    this.provider = provider
  }

  static async open(): Promise<RehearsalProject> {
    return new RehearsalProject(await DriftingProvider.start())
  }

  /** Gives a test a cassette; returns its file. */
  async record(title: string, prompts: readonly string[], more: JsonObject = {}): Promise<string> {
    const path = cassettePath({ file: 'agent.test.ts', titles: [title], ordinal: 0 })
    await this.save(path, this.provider.record(`agent.test.ts > ${title}`, prompts, more))
    return join(this.root, '__recordings__', path)
  }

  /** Rehearses, and returns what is said to programs. */
  async rehearse(...words: string[]): Promise<Report & { code: number; problems: string }> {
    const { code, out, problems } = await this.run('rehearse', '--json', ...words)
    return { ...(JSON.parse(out) as Report), code, problems }
  }

  /** What is recorded. */
  cassettes(): Array<{ name: string; cassette: Cassette }> {
    const store = new CassetteStore(this.root, '__recordings__', 1e9)
    return store.list().map((name) => ({ name, cassette: store.load(name)! }))
  }

  read(file: string): string {
    return readFileSync(join(this.root, file), 'utf8')
  }

  async close(): Promise<void> {
    this[Symbol.dispose]()
    await this.provider[Symbol.asyncDispose]()
  }
}

/** The kinds of what differs in the answers of a test, by exchange. */
export function kindsIn({ others }: Report): Record<string, string[]> {
  return Object.fromEntries(
    others.map(({ exchange, differences }) => [exchange, differences.map(({ kind }) => kind)]),
  )
}

/** In what the answers of a test behave otherwise, by exchange. */
export function differencesIn({ others }: Report): Record<string, string[]> {
  return Object.fromEntries(
    others.map(({ exchange, differences }) => [exchange, differences.map(({ says }) => says)]),
  )
}
