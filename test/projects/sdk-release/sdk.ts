/** A message of a chat. */
export interface Message {
  role: 'system' | 'user' | 'assistant'
  content: string
}

const url = `${process.env.UPSTREAM_URL}/v1/chat/completions`
const headers = { 'content-type': 'application/json', authorization: 'Bearer not-a-key-at-all' }

/** What the SDK of a provider sends in each of its releases: the second one writes the model behind the messages. */
const RELEASES: Record<string, (messages: Message[]) => object> = {
  1: (messages) => ({ model: 'gpt-5', messages, temperature: 0 }),
  2: (messages) => ({ messages, model: 'gpt-5', temperature: 0 }),
}

/** Asks for the next message, with the release that is installed. */
export async function complete(messages: Message[]): Promise<string> {
  const body = JSON.stringify(RELEASES[process.env.SDK!]!(messages))
  return contentOf(await fetch(url, { method: 'POST', headers, body }))
}

/** Asks for a message without the SDK. */
export async function completeByHand(content: string): Promise<string> {
  const body = JSON.stringify({ model: 'gpt-5', messages: [{ role: 'user', content }] })
  return contentOf(await fetch(url, { method: 'POST', headers, body }))
}

async function contentOf(response: Response): Promise<string> {
  const { choices } = (await response.json()) as { choices: Array<{ message: Message }> }
  return choices[0]!.message.content
}
