import { closeWhenAnswered } from '../../open-requests.ts'
import { writeInTurns } from '../answer/write-in-turns.ts'
import { takeContext } from '../context/carried-context.ts'
import type { Answering } from '../entrances.ts'

/** Answers a request; `undefined` lets it pass. */
export async function answerIntercepted(
  { answer }: Pick<Answering, 'answer'>,
  request: Request,
): Promise<Response | undefined> {
  const context = takeContext(request)
  const answered = await closeWhenAnswered(context.open, answer(request, context))
  context.isDecided = true
  return writeInTurns(answered)
}

/** Answers a request of an entrance that cannot let one pass by itself. */
export async function answerOrSend(
  answering: Pick<Answering, 'answer' | 'send'>,
  request: Request,
): Promise<Response> {
  return (await answerIntercepted(answering, request.clone())) ?? answering.send(request)
}
