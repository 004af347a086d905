export { CassetteError, type ErrorCode } from '../errors.ts'
export { configureCassettes } from './vitest/api/configure.ts'
export { useCassette } from './vitest/api/use-cassette.ts'
export { codexConfig, type CodexConfig, type CodexOptions } from './vitest/api/codex-config.ts'
export type { Limits } from './vitest/api/to-have-taken-at-most.ts'
export type { CassetteMatchers } from './vitest/api/matchers.ts'
export type { TestCassette } from './vitest/api/test-cassette.ts'
export type { AskedConversation, AskedExchange } from '../recording/asked.ts'
export type {
  Entry,
  SaidEntry,
  AssistantEntry,
  DroppedEntry,
} from '../conversation/conversation.ts'
export type { PairedCall } from '../conversation/entries.ts'
export type { UsageTotal } from '../conversation/cost.ts'
export type { JsonObject, JsonValue } from '../json/json-value.ts'
export type { Completion, ToolCall, Usage } from '../prompt/completion.ts'
export type { Message, Part, Prompt, Tool } from '../prompt/prompt.ts'
export type { Fault } from '../config/fault.ts'
export type { ParamValues } from '../config/check-params.ts'
export type { FindVolatile, VolatileRule } from '../config/volatile-rule.ts'
export type { Speaker, SpeakerResult, SpeakerStep } from '../features/ask-speakers.ts'
export type { WrittenResponse } from '../cassette/cassette.ts'
export type { CassetteOptions, ParamsStrategy, TestOptions } from '../config/options.ts'
export type {
  FindPrivate,
  RecordingFacts,
  RedactRule,
  RunStatistics,
  WhyInvalid,
} from '../config/option-values.ts'
export type { Price } from '../config/options.ts'
export type { CachingStrategy, Mode } from '../config/mode.ts'
export type { CassetteMeta } from '../attempt/count-requests.ts'
export { resumeConversation, type ResumeOptions } from '../histories/resume-conversation.ts'
export type { ProviderFormat, ProviderMessages } from '../conversation/provider-messages.ts'
