/** Whether everything there is runs, as `npm run test:all` asks for. */
export const isAll = process.env.TEST_ALL === '1'

/** How often, or how long, something is tried: little in `npm test`, much in `npm run test:all`. */
export function times(few: number, many: number): number {
  return isAll ? many : few
}
