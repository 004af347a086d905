/** Node's own, which loads at once also where a test file lives in a context of its own. */
const { createRequire } = process.getBuiltinModule('node:module')

const require = createRequire(import.meta.url)

/** A title as a part of a file name: small Latin letters, digits and hyphens; empty for what has none. */
export function slugOf(title: string): string {
  return (isAscii(title) ? title : transliterate(title))
    .replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, '-')
    .toLowerCase()
    .replaceAll("'", '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
}

/** Most titles are, and the tables of all alphabets take longer to load than a test. */
function isAscii(text: string): boolean {
  return /^[\0-\x7f]*$/.test(text)
}

function transliterate(text: string): string {
  const { default: latinOf } = require('@sindresorhus/transliterate') as {
    default: (text: string) => string
  }
  return latinOf(text)
}
