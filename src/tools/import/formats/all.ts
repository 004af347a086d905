import type { ForeignFormat } from '../foreign.ts'
import { aimock } from './aimock.ts'
import { answers } from './answers.ts'
import { braintrust } from './braintrust.ts'
import { copilot } from './copilot.ts'
import { har } from './har.ts'
import { mastra } from './mastra.ts'
import { mockserver } from './mockserver.ts'
import { nock } from './nock.ts'
import { undici } from './undici.ts'
import { vcr } from './vcr.ts'

/** Every format that is read. The first that recognises a file reads it: answers without requests are the least sure. */
export const FOREIGN_FORMATS: readonly ForeignFormat[] = [
  har,
  nock,
  vcr,
  mastra,
  braintrust,
  undici,
  mockserver,
  aimock,
  copilot,
  answers,
]
