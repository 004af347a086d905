/** Whether a run has a test: `ONLY` chooses in one scenario as `-t` does in all of them. */
export const isChosen = (...titles: string[]): boolean =>
  new RegExp(process.env.ONLY ?? '').test(titles.join(' '))
