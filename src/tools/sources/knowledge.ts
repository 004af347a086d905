import stableStringify from 'fast-json-stable-stringify'
import type { Cassette } from '../../cassette/cassette.ts'
import { goalOf } from '../../conversation/summary.ts'
import { countOf } from '../../text/count-of.ts'
import { CassetteError } from '../../errors.ts'
import { lookAtPicture } from '../../features/look-at-picture.ts'
import { defined, unlessEmpty } from '../../providers/fields.ts'
import { averageHash, perceptualHash } from '../../prompt/picture-hash.ts'
import { factsOf, judgeValidity } from '../../features/judge-validity.ts'
import { readStatistics, type SeenRuns } from '../../features/run-statistics.ts'
import { describeImported } from './imported.ts'
import type { Source } from './source.ts'

/** The facts about a recording beside its conversations and pictures. */
export interface Knowledge {
  /** The first request of a user. */
  goal?: string
  /** The statistics of runs on this machine. */
  runs?: Omit<SeenRuns, 'invalid'>
  valid: boolean
  /** Why it is not valid: the mark in the cassette, and the verdict of the last run by the options of its project. */
  invalid: string[]
  /** Of a test with several samples: their number, and how many of them have the same answers. */
  samples?: { all: number; agree: number }
  /** What the file of another tool did not tell, by the id of the exchange. */
  imported?: Record<string, string>
}

/** A picture of a recording, with the hashes that the option `images` compares. */
export interface SeenPicture {
  file: string
  phash: string
  ahash: string
}

export function knowledgeOf(source: Source): Knowledge {
  const { conversations, pictures, cassette, root, store, path } = source
  const goal = goalOf(conversations, pictures)
  const seen =
    store && root !== undefined && cassette
      ? readStatistics(root).runsOf(store.pathFrom(root, path ?? ''), cassette.timestamp)
      : undefined
  const { invalid: judged = [], ...runs } = seen ?? ({} as SeenRuns)
  // Without the options of its project, only the mark of a person can make a recording invalid.
  const marked = cassette
    ? judgeValidity(factsOf(cassette), { retiredModels: [] }, new Date())
        .filter(({ valid }) => !valid)
        .map(({ strategy, reason }) => `${strategy}: ${reason}`)
    : []
  const others = judged.filter((text) => !text.startsWith('mark: '))
  const invalid = [...marked, ...others]
  const imported = (cassette?.exchanges ?? []).flatMap(({ id, wire }): Array<[string, string]> => {
    const told = wire && describeImported(wire.request)
    return told === undefined ? [] : [[id, told]]
  })
  return defined({
    goal: goal || undefined,
    runs: seen && runs,
    valid: invalid.length === 0,
    invalid,
    samples: cassette && samplesIn(cassette),
    imported: unlessEmpty(Object.fromEntries(imported)),
  })
}

/** How often the samples of a test agree: the most that have the same texts and tool calls. */
function samplesIn({ exchanges }: Cassette): Knowledge['samples'] {
  const samples = [...Map.groupBy(exchanges, ({ sample = 1 }) => sample).values()]
  if (samples.length < 2) return undefined
  const answers = samples.map((all) =>
    stableStringify(
      all.map(({ response: { text, tool_calls: calls = [], error } }) => ({
        text,
        calls: calls.map(({ tool_name, parameters }) => ({ tool_name, parameters })),
        error,
      })),
    ),
  )
  const groups = [...Map.groupBy(answers, (answer) => answer).values()]
  return { all: samples.length, agree: Math.max(...groups.map(({ length }) => length)) }
}

/** The pictures of a recording with their hashes; none if sharp is missing. */
export async function seePictures({ pictures }: Source): Promise<SeenPicture[]> {
  const seen: SeenPicture[] = []
  for (const { name, base64 } of pictures.values()) {
    const sight = await lookAtPicture(base64).catch((error: unknown) => {
      // Without sharp, pictures are not compared either.
      if (CassetteError.isInstance(error)) return undefined
      throw error
    })
    if (!sight) return []
    if ('fault' in sight) continue
    const hex = (hash: bigint): string => hash.toString(16).padStart(16, '0')
    const { grey } = sight
    seen.push({
      file: `blobs/${name}`,
      phash: hex(perceptualHash(grey)),
      ahash: hex(averageHash(grey)),
    })
  }
  return seen
}

/** The facts about a recording beside its conversations, with its pictures. */
export interface WholeKnowledge extends Knowledge {
  pictures: readonly SeenPicture[]
}

/** The facts in words, as rows of a label and a text. */
export function knowledgeRows(known: WholeKnowledge): string[][] {
  const { runs, invalid, samples, imported = {}, pictures } = known
  return [
    ...(runs ? [['runs', runsText(runs)]] : []),
    ...(runs?.lastFailures ?? []).map(({ at, reason }) => ['failed', `${at} ${reason}`]),
    ...(samples ? [['samples', `${samples.all}, of which ${samples.agree} agree`]] : []),
    ...invalid.map((reason) => ['invalid', reason]),
    ...Object.entries(imported).map(([id, told]) => ['imported', `${id}: ${told}`]),
    ...pictures.map(({ file, phash }) => ['picture', `${file}, phash ${phash}`]),
  ]
}

function runsText({ attempts, failures, failuresInARow, lastUsed }: SeenRuns): string {
  const row = failuresInARow > 1 ? `, ${failuresInARow} in a row` : ''
  const failed = failures > 0 ? `, ${failures} failed${row}` : ''
  return `${countOf(attempts, 'attempt')}${failed}, last used ${lastUsed}`
}
