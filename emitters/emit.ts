import { EMITTERS } from './emitters.ts'

// Runs the agent once under an emitter: `node emit.ts NAME VARIANT`, with the addresses in the environment.
const [name, variant] = process.argv.slice(2)
const { PROVIDER_URL: provider, RECEIVER_URL: receiver } = process.env
await EMITTERS[name!]!.run(
  { provider: provider!, receiver: receiver! },
  { variant: variant as 'plain' },
)
process.exit()
