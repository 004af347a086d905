/** The rules of gitleaks in the two forms that the scan understands. */
export interface CredentialRules {
  /** Name, the mark that the issuer puts before a credential, and a pattern of what follows it. */
  marked: Array<[name: string, mark: string, after: string]>
  /** The name of an issuer, as variables have it, and a pattern of the value. */
  named: Array<[name: string, value: string]>
}

/** Rules for what the scan finds by rules of its own, with fewer false alarms. */
const OWN =
  /^(?:generic-api-key|private-key|jwt|jwt-base64|curl-auth-\w+|kubernetes-secret-yaml|cloudflare-origin-ca-key|sidekiq-sensitive-url|snyk-api-token|sonar-api-token|microsoft-teams-webhook|nuget-config-password|hashicorp-tf-password)$/

/** The text that gitleaks expects behind a credential. */
const END = /\(\?:\[(?:\\x60|')[^\]]*\]\|\\\\\[nr\]\|\$\)$|\(\?:\[\^[^\]]*\]\|\\z\)$|\\b$/

/** A rule that names the issuer before the value. */
const NAMED =
  /^\(\?:((?:[^()]|\(\?:[^()]*\))*)\)\(\?:\[ \\t\\w\.-\]\{0,20\}\)\[\\s'"\]\{0,3\}\(\?:=.*?\{0,5\}\((.*)\)$/

/** A rule of which only the name is read in any case. */
const WRAPPED =
  /^\(\?:((?:\(\?:[^()]*\)|\(\?:\(\?:[^()]*\)\))\(\?:\[ \\t\\w\.-\]\{0,20\}\)\[\\s'"\]\{0,3\})\)/

/** The most characters of a part without an end, so that a scan stays linear. */
const MOST = 400

/** Reads `config/gitleaks.toml`. */
export function rulesOf(toml: string): CredentialRules {
  const rules: CredentialRules = { marked: [], named: [] }
  for (const block of toml.split(/^\[\[rules\]\]$/m).slice(1)) {
    const [, id = ''] = /^id = "(.*)"$/m.exec(block) ?? []
    const [, regex] = /^regex = '''(.*)'''$/m.exec(block) ?? []
    if (regex === undefined || OWN.test(id)) continue
    for (const branch of branchesOf(bounded(plain(regex)))) {
      const source = branch.replace(END, '').replace(WRAPPED, '$1')
      const [, names, value] = NAMED.exec(source) ?? []
      if (names !== undefined)
        rules.named.push(
          ...names.split('|').map((name): [string, string] => [nameOf(name), uncaptured(value!)]),
        )
      else
        for (const [mark, after] of marksOf(unwrapped(source)))
          if (isMark(mark) && isPattern(after)) rules.marked.push([issuerOf(id), mark, after])
    }
  }
  const named = Map.groupBy(
    rules.named.filter(([name]) => name !== ''),
    ([name]) => name,
  )
  return {
    marked: [...new Map(rules.marked.map((rule) => [rule.join(' '), rule])).values()].sort(byText),
    named: [...named]
      .map(([name, all]): [string, string] => [
        name,
        [...new Set(all.map(([, value]) => value))].join('|'),
      ])
      .sort(byText),
  }
}

/** The name that is shown to the user: `gitlab-pat` and all others of GitLab are `gitlab`. */
function issuerOf(id: string): string {
  return id.replace(
    /-(?:access|admin|api|app|cloud|client|deploy|fine|kubernetes|oauth|personn?al|pat|service|secret|token|user|legacy|bot|config|refresh|page|key|ptt|rrt|scim|feed|feature|incoming|runner|cicd|session|password|upload|test|encryption|public|organization|shared|custom|private|amazon|webhook|batch).*$/,
    '',
  )
}

function byText(one: string[], other: string[]): number {
  return one.join(' ') < other.join(' ') ? -1 : 1
}

/** A pattern of Go as one of JavaScript, for which case does not count where it did not count in a part. */
function plain(regex: string): string {
  const pattern = regex
    .replaceAll(String.raw`[\w.-]{0,50}?`, '')
    .replaceAll(/\(\?-?i\)/g, '')
    .replaceAll(/\(\?-?i:/g, '(?:')
    .replaceAll(/\[\[:alnum:\]\]/g, '[A-Za-z0-9]')
  const isAnyCase = /\(\?i[:)]/.test(regex)
  return isAnyCase
    ? pattern.replaceAll(
        /(?<!A-Z|A-F)(?<!A-Za-z0-9\/)a-([fz])(?!A-)/g,
        (_, end: string) => `a-${end}A-${end.toUpperCase()}`,
      )
    : pattern
}

function bounded(pattern: string): string {
  return pattern
    .replaceAll(/(?<=[\])])[+]/g, `{1,${MOST}}`)
    .replaceAll(/(?<=[\])])[*]/g, `{0,${MOST}}`)
    .replaceAll(/\{(\d+),\}/g, (_, least: string) => `{${least},${Math.max(MOST, Number(least))}}`)
}

/** Takes off what stands around the credential: `\b(…)`. */
function unwrapped(pattern: string): string {
  const inside = pattern.replace(/^\\b/, '')
  const [, whole] = /^\((?!\?)(.*)\)$/s.exec(inside) ?? []
  return whole !== undefined && groupEnd(inside, 0) === inside.length - 1 ? whole : inside
}

/** The texts with which a pattern begins, each with what may follow it. */
function marksOf(pattern: string): Array<[mark: string, after: string]> {
  const branches = branchesOf(pattern)
  if (branches.length > 1) return branches.flatMap(marksOf)
  let mark = ''
  let at = 0
  while (at < pattern.length) {
    const [, escaped, literal] = /^(?:\\([.\-/$_])|([\w\-:/~]))/.exec(pattern.slice(at)) ?? []
    if (escaped === undefined && literal === undefined) break
    const next = at + (escaped === undefined ? 1 : 2)
    if (/^[?*+{]/.test(pattern.slice(next))) break
    mark += escaped ?? literal
    at = next
  }
  const rest = pattern.slice(at)
  const [opening] = /^\((?:\?:)?/.exec(rest) ?? []
  const end = opening === undefined ? -1 : groupEnd(rest, 0)
  // A group that may be repeated or left out is no part of the mark.
  if (opening === undefined || /^[?*+{]/.test(rest.slice(end + 1)))
    return [[mark, uncaptured(rest)]]
  return branchesOf(rest.slice(opening.length, end)).flatMap((branch) =>
    marksOf(branch + rest.slice(end + 1)).map(([inner, after]): [string, string] => [
      mark + inner,
      after,
    ]),
  )
}

function branchesOf(pattern: string): string[] {
  const branches = ['']
  for (let at = 0, depth = 0, isSet = false; at < pattern.length; at++) {
    const one = pattern[at]!
    if (one === '\\') {
      branches[branches.length - 1] += one + pattern[++at]
      continue
    }
    if (one === '[') isSet = true
    else if (one === ']') isSet = false
    else if (!isSet && one === '(') depth++
    else if (!isSet && one === ')') depth--
    if (one === '|' && depth === 0 && !isSet) branches.push('')
    else branches[branches.length - 1] += one
  }
  return branches
}

function groupEnd(pattern: string, start: number): number {
  for (let at = start, depth = 0, isSet = false; at < pattern.length; at++) {
    const one = pattern[at]!
    if (one === '\\') at++
    else if (one === '[') isSet = true
    else if (one === ']') isSet = false
    else if (!isSet && one === '(') depth++
    else if (!isSet && one === ')' && --depth === 0) return at
  }
  return -1
}

function uncaptured(pattern: string): string {
  return pattern.replaceAll(/(?<!\\)\((?!\?)/g, '(?:').replace(/\\b$/, '')
}

function nameOf(name: string): string {
  return name
    .replaceAll(/\[(\w)\w\]/g, '$1')
    .replace(/^\(\?:/, '')
    .replaceAll(/\(\?:[^()]*\)|[^A-Za-z0-9]/g, '')
    .toLowerCase()
}

function isMark(mark: string): boolean {
  return mark.length >= 3 && /[A-Za-z]/.test(mark)
}

function isPattern(after: string): boolean {
  try {
    new RegExp(after)
    return after !== ''
  } catch {
    return false
  }
}
