import { writeFileSync } from 'node:fs'
import * as z from 'zod/mini'
import { cassetteSchema } from '../src/cassette/format.ts'
import { compiledSchemas } from './compiled-schemas.ts'

// Shipped in the package, so that editors check and explain the files under __recordings__/.
const schema = z.toJSONSchema(cassetteSchema, { target: 'draft-7', io: 'input' })
const text = JSON.stringify({ title: 'vitest-cassette recording', ...schema }, null, 2)
write('cassette.schema.json', text + '\n')

// Generated into src, so that programs that run the sources without a build find them too.
for (const [file, text] of Object.entries(compiledSchemas)) write(file, text)

function write(file: string, text: string): void {
  writeFileSync(new URL(`../${file}`, import.meta.url), text)
}
