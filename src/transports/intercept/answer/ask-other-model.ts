import { readPlan } from '../../../attempt/run-channel.ts'
import { otherModelOf, withModel } from '../../../features/other-model.ts'
import { textOf } from '../../../wire/body.ts'
import type { WholeRequest } from '../call/whole-request.ts'
import { wireRequest } from '../call/wire-request.ts'

/** The request with the model that a rehearsal puts in the place of its own; unchanged where it names none. */
export function askOtherModel(request: WholeRequest, run: string): WholeRequest {
  const { models } = readPlan(run)
  if (!models) return request
  const wire = wireRequest(request)
  const model = otherModelOf(wire, new Map(Object.entries(models)))
  if (model === undefined) return request
  const { pathname } = new URL(withModel(wire, model).url)
  const url = new URL(request.url)
  url.pathname = pathname
  // The new body has no content coding, and a length of its own.
  const headers = new Headers([...request.headers].filter(([name]) => name !== 'content-encoding'))
  return { ...request, url: url.href, headers, body: textOf(withModel(wire, model).body) }
}
