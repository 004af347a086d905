/** Node's own `require`: it loads synchronously, also where a test file runs in a VM context. */
const { createRequire } = process.getBuiltinModule('node:module')

const require = createRequire(import.meta.url)

/** A title as a part of a file name: lowercase Latin letters, digits and hyphens; empty if none of them remain. */
export function slugOf(title: string): string {
  return (isAscii(title) ? title : transliterate(title))
    .replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, '-')
    .toLowerCase()
    .replaceAll("'", '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
}

/** Most titles are ASCII, and the transliteration tables take longer to load than a test takes. */
function isAscii(text: string): boolean {
  return /^[\0-\x7f]*$/.test(text)
}

function transliterate(text: string): string {
  const { default: latinOf } = require('@sindresorhus/transliterate') as {
    default: (text: string) => string
  }
  return latinOf(text)
}
