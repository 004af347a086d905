import { isRecorded, type Cassette, type Exchange } from '../cassette/cassette.ts'
import { addParams, type ParamValues } from '../config/check-params.ts'
import { tryParseJson } from '../json/json-value.ts'
import { describeTurns, keptTurn } from './describe.ts'
import { readRecorded } from '../engine/recorded.ts'
import { Params, usedParams } from '../conversation/params.ts'

/** The number of characters of a conversation that the model is shown. */
const MAX_LENGTH = 20_000

/** The prompt that asks a model for the parameters of a recording. */
export function promptForParams({ exchanges }: Cassette): string {
  const said = exchanges.map(({ prompt, response }) => {
    const calls = (response.tool_calls ?? []).map(
      ({ tool_name: name, parameters }) => `${name}(${JSON.stringify(parameters)})`,
    )
    return [`> ${prompt.text}`, response.text, ...calls].join('\n')
  })
  return (
    'Below is what an application asked a language model in a test, and what it answered. Which values in it would another ' +
    'run of the same test have otherwise, such as the id of an order or the name of a customer? Leave out instructions and ' +
    'what is always the same. Answer with one JSON object alone: a short camelCase name for each value, and the value ' +
    'exactly as it stands in the text, such as {"orderId":"A-4711"}; {} if there is none.\n\n' +
    said.join('\n\n').slice(0, MAX_LENGTH)
  )
}

/** The proposals of an answer that can be parameters of a recording; `undefined` where there is none. */
export function readProposal(answer: string, { exchanges }: Cassette): ParamValues | undefined {
  const json = answer.slice(Math.max(0, answer.indexOf('{')), answer.lastIndexOf('}') + 1)
  let proposed: ParamValues = {}
  for (const [name, value] of Object.entries(tryParseJson(json) ?? {})) {
    try {
      const added = addParams(proposed, { [name]: value as string })
      const param = new Params({ [name]: added[name]! })
      if (exchanges.some((exchange) => hideIn(exchange, param) !== exchange)) proposed = added
    } catch {
      // A value that cannot be told from other text is no parameter.
    }
  }
  return Object.keys(proposed).length > 0 ? proposed : undefined
}

/** The cassette with its proposed parameters as parameters; itself where none are proposed. */
export function acceptProposal(cassette: Cassette): Cassette {
  const { proposedParams, ...rest } = cassette
  if (!proposedParams) return cassette
  const params = new Params().with({ ...cassette.params, ...proposedParams })
  const hidden = cassette.exchanges.map((exchange) => hideIn(exchange, params))
  const recorded = readRecorded({ ...rest, exchanges: hidden })
  const exchanges = describeTurns(recorded.map(keptTurn))
  const used = usedParams(exchanges, params.values)
  return { ...rest, ...(used ? { params: used } : {}), exchanges }
}

function hideIn(exchange: Exchange, params: Params): Exchange {
  if (!isRecorded(exchange)) return exchange
  const request = params.hide(exchange.wire.request)
  const response = params.hide(exchange.wire.response)
  const same = request === exchange.wire.request && response === exchange.wire.response
  return same ? exchange : { ...exchange, wire: { request, response } }
}
