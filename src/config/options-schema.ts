import * as z from 'zod/mini'
import { faultOfRule, isVolatileRule } from './check-volatile.ts'
import { isFault, type Fault } from './fault.ts'
import { isRegion, isThreshold, type ImageOptions } from './image-options.ts'
import { isParamsStrategy, type ParamsStrategy } from './params-strategy.ts'
import { pricesSchema } from './price.ts'
import { isDays } from './options.ts'
import { SERVER_NAME } from './server-name.ts'
import { isRedactRule, type RedactRule } from './redact-rule.ts'
import type { VolatileRule } from './volatile-rule.ts'
import { areSpeakers, type SpeakerOption } from './speaker-option.ts'
import { isWhyInvalid, type WhyInvalid } from './why-invalid.ts'

export const thresholdSchema: z.ZodMiniType<number> = z.custom<number>(
  isThreshold,
  'a whole number from 0 to 64, the bits of a hash',
)

export const regionSchema: z.ZodMiniType<number> = z.custom<number>(
  isRegion,
  'a whole number of pixels, from 1',
)

const imagesSchema: z.ZodMiniType<ImageOptions> = z.strictObject({
  match: z.enum(['exact', 'phash', 'ahash', 'ignore']),
  threshold: z.optional(thresholdSchema),
  region: z.optional(regionSchema),
})

let made: ReturnType<typeof make> | undefined

/** The schema of the options. It is made on first use, as few tests have options. */
export function optionsSchema(): ReturnType<typeof make> {
  return (made ??= make())
}

function make() {
  const volatileRule = z.custom<VolatileRule>(isVolatileRule, {
    error: ({ input }) => faultOfRule(input),
  })

  const fault = z.custom<Fault>(isFault, {
    error: ({ input }) =>
      `${JSON.stringify(input)} is no fault. Write '429 once', 'cut after event 3', 'delay 200ms', or an object with ` +
      'one of status (400 to 599), cutAfterEvent, delayMs; and with times, on, retryAfter where they are needed',
  })

  const redactRule = z.custom<RedactRule>(
    isRedactRule,
    'neither a regular expression nor a function',
  )

  const days = z.custom<number | `${number} days`>(
    isDays,
    "a number of days, such as 90 or '90 days'",
  )

  return z.strictObject({
    mode: z.optional(
      z.enum(['replay', 'new', 'all', 'prompts', 'off', 'read', 'write', 'both', 'no']),
    ),
    dir: z.optional(z.string().check(z.minLength(1))),
    hosts: z.optional(z.array(z.string().check(z.minLength(1)))),
    allowHosts: z.optional(z.array(z.string().check(z.minLength(1)))),
    mcp: z.optional(z.array(z.string().check(z.regex(SERVER_NAME)))),
    keys: z.optional(z.boolean()),
    unused: z.optional(z.enum(['fail', 'warn'])),
    orphans: z.optional(z.enum(['fail', 'warn'])),
    report: z.optional(z.union([z.boolean(), z.string().check(z.minLength(1))])),
    recordErrors: z.optional(z.boolean()),
    maxCassetteBytes: z.optional(z.int().check(z.positive())),
    volatile: z.optional(z.array(volatileRule)),
    redact: z.optional(z.array(redactRule)),
    repeats: z.optional(z.enum(['strict', 'last', 'cycle'])),
    unordered: z.optional(z.boolean()),
    faults: z.optional(z.array(fault)),
    pace: z.optional(z.union([z.enum(['instant', 'recorded']), z.number().check(z.positive())])),
    images: z.optional(imagesSchema),
    prices: z.optional(pricesSchema),
    params: z.optional(
      z.custom<ParamsStrategy>(
        isParamsStrategy,
        "{ strategy: 'preset' } or { strategy: 'llm', propose: async (prompt) => … }",
      ),
    ),
    speakers: z.optional(
      z.custom<readonly SpeakerOption[]>(
        areSpeakers,
        "a list of { name, canHandle, handleStep }, each with a name of its own, and none called 'cassette' or 'live'",
      ),
    ),
    maxAge: z.optional(days),
    maxFailures: z.optional(z.int().check(z.nonnegative())),
    retiredModels: z.optional(z.array(z.string().check(z.minLength(1)))),
    whyInvalid: z.optional(z.custom<WhyInvalid>(isWhyInvalid)),
    invalid: z.optional(z.enum(['fail', 'warn'])),
  })
}
