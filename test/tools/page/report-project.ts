import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import type { Cassette } from '../../../src/cassette/cassette.ts'
import { PriceTable } from '../../../src/conversation/cost.ts'
import type { ReportCassette, ReportIndex } from '../../../src/tools/page/data/report-data.ts'
import {
  type ReportInput,
  type ReportSource,
  writeReport,
  type WrittenReport,
} from '../../../src/tools/page/write-report.ts'
import { recordAgent, type AgentOptions, type AgentTurn } from '../../conversation/example-agent.ts'
import { chatWire } from '../../conversation/example-wires.ts'

/** A turn in which a tool is called. */
export const TURN: AgentTurn = {
  question: 'How many moons does Saturn have?',
  arguments: { path: 'saturn' },
  result: '{"moons":146}',
  answer: 'Saturn has 146 moons.',
}

/** A cassette of an agent under a title of its own. */
export function cassetteOf(
  title: string,
  turns: AgentTurn[] = [TURN],
  options: AgentOptions = {},
): Cassette {
  return { ...recordAgent(chatWire, turns, options), conversationId: title }
}

/** A cassette as a folder of cassettes would give it. */
export function sourceOf(path: string, cassette: Cassette): ReportSource {
  return { path: `__recordings__/${path}`, read: () => cassette }
}

/** A folder with a report. */
export class ReportProject implements Disposable {
  readonly root: string = mkdtempSync(join(tmpdir(), 'vitest-cassette-report-'))
  readonly folder: string = join(this.root, 'report')

  write(sources: Iterable<ReportSource>, more: Partial<ReportInput> = {}): Promise<WrittenReport> {
    return writeReport(this.folder, {
      sources,
      prices: new PriceTable(),
      version: '1.2.3',
      now: new Date('2026-01-02T03:04:05Z'),
      ...more,
    })
  }

  get index(): ReportIndex {
    return this.read('data/index.js') as ReportIndex
  }

  /** The data of the cassette with a title. */
  cassette(title: string): ReportCassette {
    const { id } = this.index.rows.find((row) => row.title === title)!
    return this.read(`data/${id}.js`) as ReportCassette
  }

  /** What a data file hands to the page, as a browser would run it. */
  read(file: string): unknown {
    let received: unknown
    const receiveReport = (_: string, value: unknown): void => void (received = value)
    runInNewContext(this.text(file), { receiveReport })
    return JSON.parse(JSON.stringify(received))
  }

  text(file: string): string {
    return readFileSync(join(this.folder, file), 'utf8')
  }

  files(folder: string): string[] {
    return readdirSync(join(this.folder, folder)).sort()
  }

  [Symbol.dispose](): void {
    rmSync(this.root, { recursive: true })
  }
}
