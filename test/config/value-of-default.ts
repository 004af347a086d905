/** The value of a default as people write it; `undefined` where they write that there is none. */
export function valueOfDefault(written: string): unknown {
  if (written === 'no limit') return undefined
  const [, mebibytes] = /^(\d+) MiB$/.exec(written) ?? []
  if (mebibytes) return Number(mebibytes) * 1024 * 1024
  const json = written.replaceAll(/'([^']*)'/g, '"$1"').replaceAll(/(\w+): /g, '"$1": ')
  return JSON.parse(json.replace(/ \(.*\)$/, '')) as unknown
}
