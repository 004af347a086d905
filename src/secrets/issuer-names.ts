/**
 * Credentials that are recognised only by the name of their issuer, some words before an equals sign or a colon: the
 * name, and a pattern of the value, in either case. Those that gitleaks does not know, or otherwise; its own are in
 * `gitleaks.json`.
 */
export const ISSUER_NAMES: ReadonlyArray<readonly [name: string, value: string]> = [
  ['adobe', '[a-f0-9]{32}'],
  ['bitbucket', '[a-z0-9]{32}'],
  ['contribsys', '[a-f0-9]{8}:[a-f0-9]{8}'],
  ['snyk', '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'],
  ['sonar', String.raw`(?:squ_|sqp_|sqa_)?[\w=-]{40}`],
  ['sourcegraph', '[a-f0-9]{40}'],
  ['sumo', 'su[a-z0-9]{12}'],
]
