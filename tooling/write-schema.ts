import { writeFileSync } from 'node:fs'
import * as z from 'zod/mini'
import { cassetteSchema } from '../src/cassette/format/format.ts'

// Shipped in the package, so that editors check and explain the files under __recordings__/.
const schema = z.toJSONSchema(cassetteSchema, { target: 'draft-7', io: 'input' })
const text = JSON.stringify({ title: 'vitest-cassette recording', ...schema }, null, 2)
writeFileSync(new URL('../cassette.schema.json', import.meta.url), text + '\n')
