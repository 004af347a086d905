import { CassetteError } from '../../../errors.ts'
import type { Git } from '../../programs/git.ts'

/** The commit that the working tree is compared with. */
export interface Base {
  /** The ref as git accepts it. */
  ref: string
  /** For people: `HEAD`, `the merge base of HEAD and origin/main (3f2a1b0)`. */
  shown: string
}

/** Variables in which CI services name the target branch of a pull request. */
const TARGETS = [
  'GITHUB_BASE_REF',
  'CI_MERGE_REQUEST_TARGET_BRANCH_NAME',
  'BITBUCKET_PR_DESTINATION_BRANCH',
  'BUILDKITE_PULL_REQUEST_BASE_BRANCH',
  'SYSTEM_PULLREQUEST_TARGETBRANCH',
  'CHANGE_TARGET',
]

/** The commit that a word names; `undefined` where it names none. */
export function commitOf(git: Git, name: string): string | undefined {
  // Git may take a word that begins like an option for one.
  if (name.startsWith('-')) return undefined
  return git.try(['rev-parse', '--verify', '--quiet', `${name}^{commit}`])?.trim()
}

/** A ref that the user named. */
export function namedBase(name: string, commit: string): Base {
  return { ref: commit, shown: commit.startsWith(name) ? name : `${name} (${short(commit)})` }
}

/**
 * The base if the user names none: the last commit; on CI, the merge base of the branch and its target.
 *
 * @throws CassetteError `invalid-command` if the merge base is not in the clone.
 */
export function defaultBase(
  git: Git,
  env: Readonly<Record<string, string | undefined>>,
  isCi: boolean,
): Base {
  return isCi ? mergeBase(git, env) : headBase(git)
}

/** The last commit; the empty tree if there is none yet. */
export function headBase(git: Git): Base {
  const head = commitOf(git, 'HEAD')
  if (head === undefined)
    return {
      ref: git.run(['hash-object', '-t', 'tree', '--stdin'], '').toString('utf8').trim(),
      shown: 'nothing, as there is no commit yet',
    }
  const isDetached = git.try(['symbolic-ref', '--quiet', 'HEAD']) === undefined
  return { ref: head, shown: isDetached ? `HEAD (detached at ${short(head)})` : 'HEAD' }
}

function mergeBase(git: Git, env: Readonly<Record<string, string | undefined>>): Base {
  const named = TARGETS.map((name) => env[name]).find(Boolean)
  const target = named === undefined ? 'origin/HEAD' : `origin/${named.replace('refs/heads/', '')}`
  const isShallow = git.try(['rev-parse', '--is-shallow-repository'])?.trim() === 'true'
  if (commitOf(git, target) === undefined)
    throw noBase(`${target} is not in this clone`, isShallow, named)
  const found = git.try(['merge-base', 'HEAD', target])?.trim()
  if (!found) throw noBase(`HEAD and ${target} have no common ancestor here`, isShallow, named)
  return { ref: found, shown: `the merge base of HEAD and ${target} (${short(found)})` }
}

function noBase(problem: string, isShallow: boolean, target: string | undefined): CassetteError {
  const why = isShallow ? ': it is a shallow clone, which has only the last commits' : ''
  const fetch = isShallow
    ? 'Fetch the history: fetch-depth: 0 in actions/checkout, GIT_DEPTH: 0 in GitLab, or git fetch --unshallow'
    : target === undefined
      ? 'Name the branch: git remote set-head origin --auto'
      : `Fetch it: git fetch origin ${target}`
  return new CassetteError(
    'invalid-command',
    `On CI, cassettes are compared with where the branch began, and ${problem}${why}.\n${fetch}\n` +
      'Or name a commit: npx vitest-cassette diff HEAD',
  )
}

function short(commit: string): string {
  return commit.slice(0, 7)
}
