// The prompts and answers of the workloads: always the same, and generated in every process.

/** The base URL of the provider that is replayed. */
export const PROVIDER = 'https://api.openai.com/v1'

/** One prompt and its answer, as they are sent. */
export interface Exchange {
  /** The request body. */
  prompt: ChatRequest
  /** The text that the application has to receive. */
  text: string
  /** The body of the answer. */
  answer: string
  type: 'application/json' | 'text/event-stream'
}

export interface ChatRequest {
  model: string
  temperature: number
  stream?: boolean
  messages: Message[]
}

export interface Message {
  role: string
  content: unknown
}

/** The number of events in a stream. */
export const EVENTS = 201

/** Not only ASCII, as most prompts. */
const SYSTEM = `You answer customers of a shop – “politely”, auf Deutsch or 日本語. ${prose(400, 'rule')}`

/** A call of one question, about something; every index is another question. */
export function singleCall(index: number, length: number, about: string = 'it'): Exchange {
  const question = {
    role: 'user',
    content: `Question ${numbered(index)} about ${about} : ${prose(length, `q${index}`)}`,
  }
  return plain(chat([question]), `Answer ${numbered(index)} – ${prose(200, `a${index}`)}`)
}

/** The same, answered by a stream of {@link EVENTS} events. */
export function streamedCall(index: number): Exchange {
  const { prompt } = singleCall(index, 1_400)
  const pieces = Array.from({ length: EVENTS - 2 }, (_, piece) => `piece-${index}-${piece} `)
  const deltas = pieces.map((content) => event({ delta: { content }, finish_reason: null }))
  const end = event({ delta: {}, finish_reason: 'stop' })
  return {
    prompt: { ...prompt, stream: true },
    text: pieces.join(''),
    answer: [...deltas, end, 'data: [DONE]\n\n'].join(''),
    type: 'text/event-stream',
  }
}

/** A conversation: every request holds all earlier messages. */
export function conversation(name: string, turns: number, length: number): Exchange[] {
  return grow(
    name,
    turns,
    (turn) => `Question ${numbered(turn)} of ${name}: ${prose(length, `q${turn}${name}`)}`,
    length,
  )
}

/** A conversation that sends a screenshot of 1 MB with every question. */
export function screenshots(name: string, turns: number): Exchange[] {
  const ask = (turn: number): unknown[] => [
    { type: 'text', text: `Question ${numbered(turn)} of ${name}: what do you see?` },
    {
      type: 'image_url',
      image_url: { url: `data:image/png;base64,${picture(`${name} ${turn}`)}` },
    },
  ]
  return grow(name, turns, ask, 200)
}

function grow(
  name: string,
  turns: number,
  ask: (turn: number) => unknown,
  length: number,
): Exchange[] {
  const said: Message[] = []
  return Array.from({ length: turns }, (_, turn) => {
    said.push({ role: 'user', content: ask(turn) })
    const exchange = plain(
      chat([...said]),
      `Answer ${numbered(turn)} – ${prose(length, `a${turn}${name}`)}`,
    )
    said.push({ role: 'assistant', content: exchange.text })
    return exchange
  })
}

function chat(messages: Message[]): ChatRequest {
  return {
    model: 'gpt-5-mini',
    temperature: 0,
    messages: [{ role: 'system', content: SYSTEM }, ...messages],
  }
}

function plain(prompt: ChatRequest, text: string): Exchange {
  const choice = { index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }
  const answer = {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_790_000_000,
    model: prompt.model,
    choices: [choice],
    usage: { prompt_tokens: 400, completion_tokens: 40, total_tokens: 440 },
  }
  return { prompt, text, answer: JSON.stringify(answer), type: 'application/json' }
}

function event(choice: object): string {
  const chunk = {
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1_790_000_000,
    model: 'gpt-5-mini',
    choices: [{ index: 0, ...choice }],
  }
  return `data: ${JSON.stringify(chunk)}\n\n`
}

/** Different words for every seed. */
function prose(length: number, seed: string): string {
  let text = ''
  for (let index = 0; text.length < length; index++)
    text += `${(Math.imul(index + 1, 2_654_435_761) >>> 0).toString(36)}-${seed} `
  return text.slice(0, length).trimEnd()
}

function picture(seed: string): string {
  const head = Buffer.from('89504e470d0a1a0a0000', 'hex')
  return Buffer.concat([head, Buffer.alloc(1_048_576, `picture ${seed} `)]).toString('base64')
}

/** A number of fixed width, since some tools accept a prompt that begins alike. */
function numbered(index: number): string {
  return String(index).padStart(5, '0')
}
