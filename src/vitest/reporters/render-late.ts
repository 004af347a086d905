import { countOf } from '../../diff/render/count-of.ts'

/**
 * Names the requests that were sent while recording and are in no cassette.
 *
 * @param sent the test and the address of each request
 */
export function renderLate(sent: readonly string[]): string {
  const [were, their] = sent.length === 1 ? ['was', 'its test'] : ['were', 'their tests']
  return [
    `${countOf(sent.length, 'request')} ${were} sent when ${their} had ended, and ${were === 'was' ? 'is' : 'are'} in no cassette:`,
    ...sent.map((line) => `  ${line}`),
    'Await all requests in the test that starts them, and record it again. Replay refuses late requests.',
    'What a queue asks belongs to the test that runs, if that waits for the answer.',
    'To keep the answers paid for: npx vitest-cassette recover',
  ].join('\n')
}
