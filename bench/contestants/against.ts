// Another build of this package: that of the checkout which `--against` names.
import { join } from 'node:path'
import { cassetteContestant } from '../contestant.ts'

const checkout = process.env.BENCH_AGAINST!
const { openCassette } = (await import(
  join(checkout, 'dist/open-cassette.mjs')
)) as typeof import('../../src/runners/program/open-cassette.ts')

export default cassetteContestant(openCassette, join(checkout, 'bench'))
