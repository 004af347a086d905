import { writeFileSync } from 'node:fs'
import { pricesOf } from './price-table.ts'

// Run this when the package with the prices has a new version. The package itself takes 58 ms and 19 MB to load, which
// each run that sums up its costs would pay; its table takes 2 ms.
const date = new Date().toISOString().slice(0, 10)
const lines = Object.entries(pricesOf(date)).map(
  ([model, price]) => `${JSON.stringify(model)}: ${JSON.stringify(price)}`,
)
const file = new URL('../src/conversation/cost/prices.json', import.meta.url)
writeFileSync(file, `{ "date": "${date}",\n"models": {\n${lines.join(',\n')}}}\n`)
