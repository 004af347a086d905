import { shared } from '../../../real/shared.ts'

/** Hears of LLM calls that others answer in our place: mocks and stubs. Set while recording alone. */
export const others = shared<{
  /** Watches a call that may not get to us. */
  watch?: (url: string, ask: () => Promise<Response>) => Promise<Response>
  /** Others have answered a call that had come here. */
  answer?: (url: string) => void
  /** The call that is watched here has got to us. */
  reach?: () => void
}>('others', () => ({}))
