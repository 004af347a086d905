/**
 * How the search of the site ranks what it finds. The site runs these functions in the browser, from their text: they
 * can use nothing around them.
 */
export const searchOptions = {
  prefix: true,
  /** Short words are one letter away from too many others: `jest` from `test`. */
  fuzzy: (term: string): number | false => term.length > 5 && 0.2,
  boost: { title: 6, titles: 3, text: 1 },
  /** What a reader has a question for comes before what is looked up, and that before lists of what was tried. */
  boostDocument: (id: string): number => {
    if (/\/docs\/(?:start|failing|record|in-tests|security|providers|volatile)(?:#|$)/.test(id))
      return 2
    if (/\/(?:CHANGELOG|examples\/|docs\/(?:#|$))/.test(id)) return 0.3
    const tried =
      /\/docs\/(?:drift|volatile-drift|hostile-cassettes|re-recording|move-in|format)(?:#|$)/
    return tried.test(id) ? 0.4 : 1
  },
}
