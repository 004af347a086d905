import type { StreamedEvent } from '../data/report-data.ts'
import { countOf } from '../../../text/count-of.ts'
import { disclosure, moreButton } from './disclosure.ts'
import { element, type Child } from './element.ts'
import { count } from './format-figures.ts'
import { load } from './load.ts'

/** Events that are shown at first. */
const MAX_EVENTS = 100

/** A button that loads and shows the events of a streamed answer. */
export function streamView(id: string, exchange: string, events: number): HTMLElement {
  const body = element('div.stream')
  const content = async (): Promise<Child> => {
    const { exchanges } = await load('streams', id)
    return eventsView(exchanges[exchange] ?? [])
  }
  const toggle = disclosure(`Stream · ${countOf(events, 'event')}`, body, content, 'disclosure')
  return element('div', toggle, body)
}

function eventsView(events: readonly StreamedEvent[]): HTMLElement {
  const list = element('ol.events', { tabindex: 0, 'aria-label': 'Events of the stream' })
  const add = (some: readonly StreamedEvent[]): void => {
    for (const { name, data } of some)
      list.append(element('li', name !== undefined && element('b', name), element('code', data)))
  }
  add(events.slice(0, MAX_EVENTS))
  if (events.length <= MAX_EVENTS) return list
  const label = `Show all ${count(events.length)} events`
  const more = moreButton(label, () => add(events.slice(MAX_EVENTS)))
  return element('div', list, more)
}
