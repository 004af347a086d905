/** The mode of the run: `test` for `npm test`, `all` for `npm run test:all`, `night` for `npm run test:night`. */
const mode = process.env.TEST_MODE

/** Whether everything is tried, each thing as often as the night does. */
export const isNight = mode === 'night'

/** Whether everything is tried that there is. */
export const isAll = isNight || mode === 'all'

/** How often, or how long, something is tried: little for each change, much at night. */
export function times(few: number, many: number): number {
  return isNight ? many : few
}
