/** What is answered: all customers and accounts of a text. */
export const said = (asked) =>
  `said ${decodeURIComponent(asked.replaceAll('%', '%25').replaceAll('%25', '%'))
    .match(/C-\d{6}|K-\d{4}/g)
    ?.join(' and ')}.`
