import * as z from 'zod/mini'

const time = z.string().check(z.refine((text) => !Number.isNaN(Date.parse(text)), 'no time'))

const call = z.looseObject({
  name: z.string(),
  parameters: z.unknown(),
  id: z.optional(z.string()),
  result: z.optional(z.unknown()),
})

/** Tokens as any program writes them. */
const tokens = z.looseObject({
  input_tokens: z.number(),
  output_tokens: z.number(),
  total_tokens: z.number(),
  total_cost: z.nullish(z.number()),
})

/** A line of `messages.jsonl`. */
export const MESSAGE = z.looseObject({
  role: z.enum(['system', 'user', 'assistant', 'tool', 'dropped']),
  content: z.unknown(),
  timestamp: time,
  reasoning: z.optional(z.string()),
  tool_calls: z.optional(z.array(call)),
  tool_name: z.nullish(z.string()),
  tool_use_id: z.nullish(z.string()),
  tokens: z.nullish(tokens),
  recorded: z.optional(z.looseObject({ id: z.string() })),
})

const count = z.optional(z.number())

/** The metadata of another program. Checks the fields that are used. */
export const METADATA = z.looseObject({
  id: z.string(),
  created_at: time,
  updated_at: time,
  title: z.optional(z.string()),
  model_id: z.nullish(z.string()),
  system_prompt: z.nullish(z.string()),
  message_count: count,
  task_count: count,
  completed_tasks: count,
  failed_tasks: count,
  token_usage: z.nullish(tokens),
})
