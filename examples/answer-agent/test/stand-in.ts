import { LLMock } from '@copilotkit/aimock'

/** The answers of the stand-in, by the last question. */
const ANSWERS: Record<string, string> = {
  'Which planet is the largest?':
    'Jupiter: it has more than twice the mass of all other planets together.',
  'How many moons does it have?': 'Jupiter has 97 known moons.',
  'Which of them is the largest?': 'Ganymede, which is larger than Mercury.',
  'Who discovered it?': 'Galileo Galilei, in January 1610.',
  'Could there be life on it?': 'Perhaps: below its ice lies an ocean of salt water.',
  'Which mission will look?': 'JUICE, of the European Space Agency.',
  'When does it arrive?': 'JUICE arrives at Jupiter in July 2031.',
  'Which planet is the smallest?': 'Mercury, with 38 percent of the diameter of the Earth.',
  'How long is a year there?': '88 days of the Earth.',
}

const TOO_MANY = {
  status: 429,
  retryAfter: 0,
  error: { message: 'Too many requests', code: 'rate_limit' },
}

/** Starts a server with the API of OpenAI and fixed answers. Their ids and dates are new each time. */
export async function startStandIn(port: number): Promise<{ stop(): Promise<void> }> {
  const mock = new LLMock({ port, logLevel: 'silent' })
  for (const [userMessage, content] of Object.entries(ANSWERS))
    mock.on({ endpoint: 'chat', userMessage }, { content })
  mock.on({ endpoint: 'chat', userMessage: 'Is anybody there?' }, TOO_MANY)
  // As many refusals as the SDK of OpenAI makes attempts.
  let refusals = 3
  mock.on({ endpoint: 'chat', userMessage: 'Is it hot there?' }, () =>
    refusals-- > 0 ? TOO_MANY : { content: 'By day 430 °C, by night -180 °C.' },
  )
  await mock.start()
  return { stop: () => mock.stop() }
}
