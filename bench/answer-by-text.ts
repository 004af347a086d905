import { readAnswers, respond, type Setting } from './contestant.ts'

/** Answers requests by their text, for tools that leave the matching to their user. */
export function answerByText(setting: Setting): (request: Request) => Promise<Response> {
  const answers = new Map(readAnswers(setting).map((stored) => [stored.prompt, stored]))
  return async (request) => {
    const stored = answers.get(await request.text())
    return stored ? respond(stored) : new Response('no such prompt', { status: 404 })
  }
}
