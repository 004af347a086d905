import { readPlan } from '../../recording/run-folder.ts'
import { otherModelOf, withModel } from '../../rehearse/other-model.ts'
import { textOf } from '../../wire/body.ts'
import type { WholeRequest } from '../call/whole-request.ts'
import { wireRequest } from '../call/wire-request.ts'

/** The same request to the model that a rehearsal asks in the place of its own; the very same where there is none. */
export function askOtherModel(request: WholeRequest, run: string): WholeRequest {
  const { models } = readPlan(run)
  if (!models) return request
  const wire = wireRequest(request)
  const model = otherModelOf(wire, new Map(Object.entries(models)))
  if (model === undefined) return request
  const { pathname } = new URL(withModel(wire, model).url)
  const url = new URL(request.url)
  url.pathname = pathname
  // What is written here travels as it stands.
  const headers = new Headers([...request.headers].filter(([name]) => name !== 'content-encoding'))
  return { ...request, url: url.href, headers, body: textOf(withModel(wire, model).body) }
}
