import { CHAT_FORMATS } from './chat-formats.ts'
import { CLOUD_FORMATS } from './cloud-formats.ts'
import { OTHER_FORMATS } from './other-formats.ts'

/** Nine wire formats, in each of which the same is asked. */
export const FORMATS = [...CHAT_FORMATS, ...OTHER_FORMATS, ...CLOUD_FORMATS]
