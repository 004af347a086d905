import type { Dialect } from '../dialect.ts'
import { objectOf } from '../fields.ts'
import { asSent } from '../kit/as-sent.ts'
import { bedrockConverse } from './bedrock-converse.ts'
import { bedrockInvoke } from './bedrock-invoke.ts'
import { BEDROCK_PATHS } from './bedrock.ts'

const bedrockAgent = asSent(
  BEDROCK_PATHS,
  'bedrock-agent',
  ({ input, inputText, sessionState }) =>
    typeof (inputText ?? objectOf(input).text) === 'string' || sessionState !== undefined,
)

export const bedrockDialects: readonly Dialect[] = [bedrockConverse, bedrockInvoke, bedrockAgent]
