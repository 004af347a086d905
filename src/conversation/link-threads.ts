import type { Message } from '../prompt/prompt.ts'
import { continues, spokenOf, type Continuation, type Spoken } from './continuation.ts'
import { threadIdsOf } from './thread-ids.ts'
import type { Step } from './step.ts'

/** One conversation among the exchanges of a test. */
export interface Thread<S extends Step = Step> {
  /** `thread-1`, `thread-2`, … in the order in which they begin. */
  id: string
  /** The thread and the number of the step that this one goes on from, where that went on otherwise. */
  branchOf?: { thread: string; step: number }
  steps: Array<LinkedStep<S>>
}

/** A step and what it adds to its thread. */
export interface LinkedStep<S extends Step = Step> {
  step: S
  /** Messages that are new, instructions included where they are new or have changed. */
  fresh: Message[]
  /** How many messages the application left out that the prompt before still had. */
  dropped: number
}

interface OpenThread<S extends Step> {
  thread: Thread<S>
  spoken: Array<Spoken>
  ids: Set<string>
}

interface Link<S extends Step> {
  open: OpenThread<S>
  position: number
  found: Continuation
  score: number[]
}

/**
 * Links exchanges into conversations: by the ids of histories that lie at the provider, by the
 * messages that a prompt has in common with an earlier one, and by the answer that it repeats.
 * Requests that share nothing but their instructions are conversations of their own.
 */
export function linkThreads<S extends Step>(steps: readonly S[]): Array<Thread<S>> {
  const open: Array<OpenThread<S>> = []
  for (const step of steps) {
    const spoken = spokenOf(step)
    const ids = threadIdsOf(step)
    const known = linkById(open, ids.from, spoken) ?? bestLink(open, spoken)
    const target = known && goesOn(known) ? known.open : begin(open, known)
    const before = target.spoken.at(-1) ?? known?.open.spoken[known.position]
    const isSame = before?.dialog.systemKey === spoken.dialog.systemKey
    const found = known?.found ?? { fresh: spoken.dialog.messages, dropped: 0 }
    target.thread.steps.push({
      step,
      fresh: isSame ? found.fresh : [...spoken.dialog.system, ...found.fresh],
      dropped: found.dropped,
    })
    target.spoken.push(spoken)
    for (const id of ids.to) target.ids.add(id)
  }
  return open.map(({ thread }) => thread)
}

function linkById<S extends Step>(
  threads: Array<OpenThread<S>>,
  from: string[],
  spoken: Spoken,
): Link<S> | undefined {
  const open = threads.findLast(({ ids }) => from.some((id) => ids.has(id)))
  if (!open) return undefined
  const position = open.spoken.length - 1
  // A history that lies at the provider is not sent, unless the application sends it as well.
  const isSent = spoken.step.wire?.request.after === undefined
  const found = (isSent && continues(open.spoken[position]!, spoken)) || {
    echoes: false,
    overlap: 0,
    dropped: 0,
    fresh: spoken.dialog.messages,
  }
  return { open, position, found, score: [] }
}

/** Where a thread goes on, or else the earlier step from which it branches. */
function bestLink<S extends Step>(
  threads: Array<OpenThread<S>>,
  next: Spoken,
): Link<S> | undefined {
  const ends = threads.map((open) => ({ open, position: open.spoken.length - 1 }))
  return bestOf(ends, next) ?? bestOf(threads.flatMap(earlierSteps), next)
}

function earlierSteps<S extends Step>(
  open: OpenThread<S>,
): Array<Pick<Link<S>, 'open' | 'position'>> {
  return open.spoken.slice(0, -1).map((_, position) => ({ open, position }))
}

function bestOf<S extends Step>(
  places: Array<Pick<Link<S>, 'open' | 'position'>>,
  next: Spoken,
): Link<S> | undefined {
  let best: Link<S> | undefined
  for (const { open, position } of places) {
    const found = continues(open.spoken[position]!, next)
    if (!found) continue
    const score = [found.echoes ? 1 : 0, found.overlap, position]
    if (!best || compare(score, best.score) > 0) best = { open, position, found, score }
  }
  return best
}

function goesOn<S extends Step>({ open, position }: Link<S>): boolean {
  return position === open.spoken.length - 1
}

function begin<S extends Step>(
  threads: Array<OpenThread<S>>,
  link: Link<S> | undefined,
): OpenThread<S> {
  const thread: Thread<S> = { id: `thread-${threads.length + 1}`, steps: [] }
  if (link) thread.branchOf = { thread: link.open.thread.id, step: link.position + 1 }
  const open = { thread, spoken: [], ids: new Set<string>() }
  threads.push(open)
  return open
}

function compare(one: number[], other: number[]): number {
  for (const [index, value] of one.entries()) {
    if (value !== other[index]) return value - other[index]!
  }
  return 0
}
