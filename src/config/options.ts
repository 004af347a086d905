import * as z from 'zod/mini'
import { isPattern } from '../text/is-pattern.ts'
import { faultOfRule, isVolatileRule } from './schema/check-volatile.ts'
import { type Fault, isFault } from './fault.ts'
import { SERVER_NAME } from './hosts.ts'
import type { CachingStrategy } from './mode.ts'
import {
  areRedactRules,
  areSpeakers,
  isDays,
  isFunction,
  type RedactOption,
  type SpeakerOption,
  type WhyInvalid,
} from './option-values.ts'
import { CASSETTE_FOLDER } from './paths.ts'
import { faultOfRedact, noRule } from './schema/check-redact.ts'
import type { VolatileRule } from './volatile-rule.ts'

// Each option is one property here: its type, default, check, and the comment that editors show. Only the code that
// names mistakes imports more than types from this file, because it loads zod. The build makes the rest: see schema/.

const text = z.string().check(z.minLength(1))

const dollars = z.number().check(z.nonnegative())

/** Prices by model, as users write them. */
export const pricesSchema = z.record(
  text,
  z.strictObject({
    /** Tokens of the prompt. */
    input: dollars,
    /** Tokens of the answer. */
    output: dollars,
    /** Tokens of the prompt that the provider reads from its cache. @default the price of input */
    cacheRead: z.optional(dollars),
    /** Tokens of the prompt that the provider writes to its cache. @default the price of input */
    cacheWrite: z.optional(dollars),
  }),
)

const volatileRule = z.custom<VolatileRule>(isVolatileRule, {
  error({ input }) {
    const fault = faultOfRule(input)!
    return typeof input === 'string' || isPattern(input) ? fault : noRule(input, fault)
  },
})

const fault = z.custom<Fault>(isFault, {
  error: ({ input }) =>
    `${JSON.stringify(input)} is no fault. Write '429 once', 'cut after event 3', 'delay 200ms', or an object with ` +
    'one of status (400 to 599), cutAfterEvent, delayMs; and with times, on, retryAfter where they are needed',
})

/** How many of 64 bits, those of a hash of a picture, may differ. */
export const threshold = wholeNumber('a whole number from 0 to 64, the bits of a hash', 0, 64)

/** The side of a square in pixels. */
export const region = wholeNumber('a whole number of pixels, from 1', 1)

function wholeNumber(error: string, least: number, most: number = Number.MAX_SAFE_INTEGER) {
  return z.int(error).check(z.gte(least, error), z.lte(most, error))
}

/** How often a test is asked for its answers. */
export const samples = wholeNumber('a whole number of samples, from 1', 1)

/** An option of a project, or of its run: a single test cannot set it. */
function ofProject<Schema extends z.ZodMiniType>(schema: Schema) {
  return Object.assign(schema, { isOfProject: true as const })
}

/** An option of a whole run of Vitest: neither a test nor a test file can set it. */
function ofRun<Schema extends z.ZodMiniType>(schema: Schema) {
  return Object.assign(ofProject(schema), { isOfRun: true as const })
}

/** The options of `cassettes({ … })`. */
export const optionsSchema = z.strictObject({
  /**
   * The treatment of requests if `RECORD` is not set. On CI, modes that record mean `replay`. The strategies of a
   * cache are understood too: `read`, `write` (all), `both` (new), `no` (off).
   * @default 'replay'
   */
  mode: z._default(
    z.enum(['replay', 'new', 'all', 'prompts', 'off', 'read', 'write', 'both', 'no']),
    'replay',
  ),
  /**
   * The folder of the cassettes, relative to the root of the Vitest project.
   * @default '__recordings__'
   */
  dir: ofProject(z._default(text, CASSETTE_FOLDER)),
  /**
   * More hosts whose requests are treated as LLM calls, such as a gateway of your own, a vector store or a search:
   * `llm.example.com`, `*.example.com`, or `localhost:8080` for one port only.
   * @default []
   */
  hosts: z._default(z.array(text), []),
  /**
   * Hosts that this package leaves alone, written as in `hosts`: their requests are neither recorded nor replayed,
   * and pass to the network in replay too. Wins over `hosts` and the known providers.
   * @default []
   */
  allowHosts: z._default(z.array(text), []),
  /**
   * With `closed`, nothing leaves this machine in replay: every request to another host that is not recorded is
   * refused and fails its test, whatever it asks, but for `allowHosts`.
   * @default 'open'
   */
  network: ofProject(z._default(z.enum(['open', 'closed']), 'open')),
  /**
   * MCP servers whose answers are recorded and replayed like those of models; all others stay real. A name is one or
   * more whole words of the command that starts a server (`weather` of `node servers/weather.ts`, `@acme/weather-mcp`
   * of `npx -y @acme/weather-mcp`), or of its address (`mcp.example.com`, `localhost:3000`).
   * @default []
   */
  mcp: z._default(z.array(z.string().check(z.regex(SERVER_NAME))), []),
  /**
   * In replay, lend a harmless key to SDKs that refuse to start without one, if none is set.
   * @default true
   */
  keys: ofProject(z._default(z.boolean(), true)),
  /**
   * The result of a passing test that did not ask for all of its exchanges: a failure or a warning.
   * @default 'fail'
   */
  unused: z._default(z.enum(['fail', 'warn']), 'fail'),
  /**
   * The result of a run of all tests on CI for cassettes whose test is gone: a failure or a warning. Elsewhere it is
   * a warning.
   * @default 'fail'
   */
  orphans: ofRun(z._default(z.enum(['fail', 'warn']), 'fail')),
  /**
   * Let Node keep the compiled code of what the workers load, below `node_modules/.cache`: test files start sooner.
   * `NODE_COMPILE_CACHE` and `NODE_DISABLE_COMPILE_CACHE` outweigh it, and so does coverage by V8.
   * @default true
   */
  compileCache: ofProject(z._default(z.boolean(), true)),
  /**
   * Write all cassettes as a page at the end of a run, failures first: `true` for the folder `cassette-report`, or the
   * name of another one, from the root of the run. Not in watch mode.
   * @default false
   */
  report: ofRun(z._default(z.union([z.boolean(), text]), false)),
  /**
   * Record every error of the provider. Without it, those that a retry overcame are left out. A 401, 403, 429 or 5xx that
   * is the last answer to its prompt, and any error in the place of a good answer, fail the test.
   * @default false
   */
  recordErrors: z._default(z.boolean(), false),
  /**
   * The size in bytes above which a cassette is not read.
   * @default 33554432 (32 MiB)
   */
  maxCassetteBytes: ofProject(z._default(z.int().check(z.positive()), 32 * 1024 * 1024)),
  /**
   * Read cassettes through symbolic links, as in the trees of Bazel and Nix, where every file is one. Whoever can change
   * the tree can then have any file of this machine read as a cassette. Nothing is ever written through a link.
   * @default false
   */
  followLinks: ofProject(z._default(z.boolean(), false)),
  /**
   * Parts of a request's body that may vary between runs: rules by their name (`uuid`, `date-phrase`), JSON paths
   * (`$.metadata.user_id`, `$.messages[*].id`), regular expressions, or functions that return the volatile pieces of
   * a text. Functions cannot travel from the config file to the tests: give them to `configureCassettes` in a set-up
   * file. Volatile values keep their identity: one value stays one value, two values stay two. In the replayed
   * answer, the values of the run replace the recorded ones.
   * @default []
   */
  volatile: z._default(z.array(volatileRule), []),
  /**
   * Data that is never stored, in addition to credentials: rules in a list, or by their names, as in
   * `{ customer: /C-\d{6}/ }`. `<REDACTED:customer.1>` replaces the first value of a rule, also in prompts before they
   * are compared: equal values stay equal, and different ones different. Values that are exchanged one for one
   * everywhere pass, unless the rule has a `check`. `keep` names the credentials that are stored as they are, and
   * compared: `{ keep: ['TENANT_KEY'] }`.
   * @default []
   */
  redact: z._default(
    z.custom<RedactOption>(areRedactRules, { error: ({ input }) => faultOfRedact(input)! }),
    [],
  ),
  /**
   * The answer to a prompt that is asked more often than recorded: a failure, its last answer again, or its answers
   * again from the first one.
   * @default 'strict'
   */
  repeats: z._default(z.enum(['strict', 'last', 'cycle']), 'strict'),
  /**
   * How many samples of each test a run has: how often it runs, unless its own `repeats` is more. Each run has its own
   * part of the cassette. `SAMPLES` outweighs it.
   * @default 1
   */
  samples: ofProject(z._default(samples, 1)),
  /**
   * Allows requests in another order than recorded. With `false`, a request before its turn is a miss; answers to the
   * same prompt come in the order recorded either way.
   * @default true
   */
  unordered: z._default(z.boolean(), true),
  /**
   * Faults in replayed answers: `'429 once'`, `'cut after event 3'`, `'delay 200ms'`, or
   * `{ status: 503, times: 2, retryAfter: 1, on: 'exchange-2' }`. Modes that record leave faults out.
   * @default []
   */
  faults: z._default(z.array(fault), []),
  /**
   * How fast the chunks of a replayed answer come: all at once, over the time that was recorded, or with a wait of some
   * milliseconds before each.
   * @default 'instant'
   */
  pace: z._default(
    z.union([z.enum(['instant', 'recorded']), z.number().check(z.positive())]),
    'instant',
  ),
  /**
   * How pictures in prompts compare: by their content, or by their look, which needs the package `sharp`.
   * @default { match: 'exact' }
   */
  images: z._default(
    z.strictObject({
      /**
       * - `exact`: by their content
       * - `phash`: by 64 bits that describe the shapes and their places
       * - `ahash`: by 64 bits that describe light and dark places; coarser
       * - `ignore`: not at all, as long as their number and types are the same; the summary of the run counts them
       */
      match: z.enum(['exact', 'phash', 'ahash', 'ignore']),
      /**
       * The number of 64 bits in which two pictures may differ and still match. An empty page can differ from a full one
       * in 15.
       * @default 0
       */
      threshold: z.optional(threshold),
      /**
       * The side in pixels of a square around the point that a tool call names after the picture, in the prompt or in the
       * recorded answer: only the content of the square counts. If no call names a point, the whole picture counts.
       */
      region: z.optional(region),
    }),
    { match: 'exact' },
  ),
  /**
   * Prices of models in US dollars for a million tokens; they override the built-in ones:
   * `{ 'my-model': { input: 1, output: 2, cacheRead: 0.1 } }`.
   * @default {}
   */
  prices: z._default(pricesSchema, {}),
  /**
   * How parameters are found: `cassette.params({ … })` in the test, or with `{ strategy: 'llm', propose }` proposed
   * by a model for each recording whose test declares none. A proposal is stored in the cassette, and has no effect
   * before `vitest-cassette params --accept`. In `configureCassettes` and tests only.
   * @default { strategy: 'preset' }
   */
  params: z._default(
    z.union(
      [
        z.strictObject({ strategy: z.literal('preset') }),
        z.strictObject({
          strategy: z.literal('llm'),
          /** Asks your model with your own client. Its answer contains one JSON object. */
          propose: z.custom<(prompt: string) => Promise<string>>(isFunction),
        }),
      ],
      "{ strategy: 'preset' } or { strategy: 'llm', propose: async (prompt) => … }",
    ),
    { strategy: 'preset' },
  ),
  /**
   * Speakers that answer steps of a conversation beside its cassette and the provider. The first that can handle a
   * step answers it. In `configureCassettes` and tests only.
   * @default []
   */
  speakers: z._default(
    z.custom<readonly SpeakerOption[]>(
      areSpeakers,
      "a list of { name, canHandle, handleStep }, each with a name of its own, and none called 'cassette' or 'live'",
    ),
    [],
  ),
  /**
   * The number of days after which a cassette is invalid, counted from its oldest answer: `90`, or `'90 days'`.
   * @default no limit
   */
  maxAge: z.optional(
    z.custom<number | `${number} days`>(isDays, "a number of days, such as 90 or '90 days'"),
  ),
  /**
   * The most failures of its test in a row on this machine; with more, a cassette is invalid.
   * @default no limit
   */
  maxFailures: z.optional(z.int().check(z.nonnegative())),
  /**
   * Cassettes with answers of these models are invalid; `*` stands for any text: `claude-2*`.
   * @default []
   */
  retiredModels: z._default(z.array(text), []),
  /**
   * Returns the reason why a cassette is invalid. Functions cannot travel from the config file to the tests: give it
   * to `configureCassettes` in a set-up file.
   */
  whyInvalid: z.optional(z.custom<WhyInvalid>(isFunction)),
  /**
   * The result of a test whose cassette is invalid: a failure, or a line in the summary. The cassette is replayed all
   * the same; `RECORD=new` records it again, but not on CI.
   * @default 'warn'
   */
  invalid: z._default(z.enum(['fail', 'warn']), 'warn'),
})

// Declarations that ship name no zod: TypeScript writes out what a function returns, and not what an alias stands for.

/** Options as users write them, with the defaults for those that they leave out. */
export const fillOptions = (options: unknown) => optionsSchema.parse(options)

const writtenOptions = () => z.encode(optionsSchema, fillOptions({}))

/** The options of `cassettes({ … })`. Every one has a default. */
export interface CassetteOptions extends ReturnType<typeof writtenOptions> {
  /** The same as `mode` under the name that caches use. Give one of the two. */
  strategy?: CachingStrategy
}

type Shape = (typeof optionsSchema)['shape']

const marked = <Mark extends 'isOfProject' | 'isOfRun'>(mark: Mark) =>
  (Object.keys(optionsSchema.shape) as Array<keyof Shape>).filter(
    (
      name,
    ): name is {
      [Name in keyof Shape]: Shape[Name] extends Record<Mark, true> ? Name : never
    }[keyof Shape] => mark in optionsSchema.shape[name],
  )

/** The names of the options that a single test cannot set. */
export const projectOptions = () => marked('isOfProject')

export type ProjectOption = ReturnType<typeof projectOptions>[number]

/** The names of the options that hold for a whole run of Vitest. */
export const runOptions = () => marked('isOfRun')

export type RunOption = ReturnType<typeof runOptions>[number]

/** Options that a single test can set; the others hold for a project or a file. */
export type TestOptions = Omit<CassetteOptions, ProjectOption>

/** How fast the chunks of a replayed answer come. */
export type Pace = NonNullable<CassetteOptions['pace']>

/** How pictures in prompts compare. */
export type ImageOptions = NonNullable<CassetteOptions['images']>

/** The price of a model, in US dollars for a million tokens. */
export type Price = NonNullable<CassetteOptions['prices']>[string]

/** How the parameters of a conversation are found: declared in the test, or proposed by a model for review. */
export type ParamsStrategy = NonNullable<CassetteOptions['params']>
