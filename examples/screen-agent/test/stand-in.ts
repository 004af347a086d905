// A stand-in for Anthropic: it looks at the last picture and answers with the next action. It knows that
// yellow fields want a name and that green buttons go on. Its argument is a port, 0 for a free one.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import sharp from 'sharp'
import type { Action } from '../src/screen.ts'

type Colour = [red: number, green: number, blue: number]

const YELLOW: Colour = [255, 224, 102]
const GREEN: Colour = [43, 138, 62]

/** The fields that are read. A message of the user ends with the picture, or with a result that holds it. */
interface Body {
  messages: { role: string; content: Block[] }[]
}

interface Block {
  type: string
  input?: Action
  content?: Block[]
  source?: { data: string }
}

const server = createServer(async (request, response) => {
  const { messages } = (await json(request)) as Body
  const action = await nextAction(messages)
  const id = `toolu_${messages.length}`
  const content = action
    ? [{ type: 'tool_use', id, name: 'computer', input: action }]
    : [{ type: 'text', text: 'The lamp is ordered.' }]
  response.setHeader('content-type', 'application/json').end(
    JSON.stringify({
      // Fixed, so that recording again changes nothing.
      id: `msg_${messages.length}`,
      type: 'message',
      role: 'assistant',
      model: 'claude-opus-4-5',
      content,
      stop_reason: action ? 'tool_use' : 'end_turn',
      stop_sequence: null,
      usage: { input_tokens: 900 * messages.length, output_tokens: 60 },
    }),
  )
})
await once(server.listen(Number(process.argv[2]), '127.0.0.1'), 'listening')
console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)

async function nextAction(messages: Body['messages']): Promise<Action | undefined> {
  const last = messages.at(-1)!.content.at(-1)!
  const picture = (last.content?.at(-1) ?? last).source!.data
  const field = await find(picture, YELLOW)
  if (field) {
    const before = messages.at(-2)?.content.at(-1)?.input
    const isInField = before?.action === 'left_click' && before.coordinate.join() === field.join()
    return isInField ? { action: 'type', text: 'Ada' } : { action: 'left_click', coordinate: field }
  }
  const button = await find(picture, GREEN)
  return button && { action: 'left_click', coordinate: button }
}

/** The middle of the area with a colour, in pixels. */
async function find(png: string, colour: Colour): Promise<[x: number, y: number] | undefined> {
  const { data, info } = await sharp(Buffer.from(png, 'base64'))
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const xs: number[] = []
  const ys: number[] = []
  for (let at = 0; at < data.length; at += 3) {
    if (colour.some((value, index) => data[at + index] !== value)) continue
    xs.push((at / 3) % info.width)
    ys.push(Math.floor(at / 3 / info.width))
  }
  return xs.length > 0 ? [middleOf(xs), middleOf(ys)] : undefined
}

function middleOf(values: number[]): number {
  return Math.round((Math.min(...values) + Math.max(...values)) / 2)
}
