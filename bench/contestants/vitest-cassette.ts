import { join } from 'node:path'
import { openCassette } from '../../dist/open-cassette.mjs'
import { cassetteContestant } from '../contestant.ts'

export default cassetteContestant(openCassette, join(import.meta.dirname, '..'))
