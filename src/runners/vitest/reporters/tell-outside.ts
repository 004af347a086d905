import { countOf } from '../../../text/count-of.ts'
import type { SeenServers } from '../../../transports/reports.ts'

/** Names what a recording asked at other machines and did not record, where the option `network` closes this one in replay. */
export function explainOutside(outside: SeenServers['out']): string {
  const asked = new Map(outside)
  const isConnection = (what: string): boolean => what.startsWith('a connection by ')
  const namesOf = (isMeant: (what: string) => boolean): string =>
    [...asked].flatMap(([host, what]) => (isMeant(what) ? `'${host}'` : [])).join(', ')
  const recordable = namesOf((what) => !isConnection(what))
  const others = namesOf(isConnection)
  return [
    "the option network is 'closed', so replay will refuse what was sent here and not recorded:",
    ...[...asked].map(([host, what]) => `  ${host}: ${what}`),
    ...(recordable
      ? [
          `To record it: cassettes({ hosts: [${recordable}] }), and record again.`,
          `To let it out in replay too: cassettes({ allowHosts: [${recordable}] }).`,
        ]
      : []),
    ...(others
      ? [
          `No HTTP, so it cannot be recorded. To let it out in replay too: cassettes({ allowHosts: [${others}] }).`,
        ]
      : []),
  ].join('\n')
}

/** Names local servers that got prompts which were not recorded, so that no cassette will answer them. */
export function explainLocal(local: SeenServers['local']): string {
  const asked = new Map(local)
  const hosts = [...asked.keys()].map((host) => `'${host}'`).join(', ')
  return [
    `${countOf(asked.size, 'local server')} got prompts that were not recorded: no address here tells of a model. Replay will send them again:`,
    ...[...asked].map(([host, what]) => `  ${host}: ${what}`),
    `To record them: cassettes({ hosts: [${hosts}] }), and record again.`,
    `If this is a server of your own, which may be asked in replay too: cassettes({ allowHosts: [${hosts}] }).`,
  ].join('\n')
}
