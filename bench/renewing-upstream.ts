// A provider that sends nothing twice: ids, dates, cached tokens and the pieces of a stream are new in every answer.
import { answerOf, lastOf, say } from '../test/recording/smallest-diff/renewing-provider.ts'
import { renewingWires } from '../test/recording/smallest-diff/renewing-wires.ts'
import { serve } from './serve.ts'

let changed: number | undefined
process.on('message', (order: { changed?: number }) => {
  changed = order.changed
  process.send!('done')
})

serve((asked, url) => {
  const wire = renewingWires.find(({ path }) => url === path)!
  return { type: wire.type, text: answerOf(wire, asked, say(lastOf(wire, asked), changed)) }
})
