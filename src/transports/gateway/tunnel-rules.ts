import { wasRecordedAt } from '../../attempt/asked-hosts.ts'
import type { Attempt } from '../../attempt/attempt.ts'
import { matchesHost } from '../../config/hosts.ts'
import { sendsNothing } from '../../config/mode.ts'
import { isLoopback } from '../../providers/providers.ts'
import { judgeInScope } from '../answer.ts'
import { sideRequestOf } from '../intercept/call/side-request.ts'
import { closed } from '../intercept/context/request-context.ts'
import { connectionAddress, isGuarded, tunnelTo } from '../intercept/guard/guard-policy.ts'

/**
 * Whether the gateway itself answers at the end of a tunnel that a child requests: a tunnel to a provider, to the
 * target of a provider's redirect, to a host of an LLM call in this test or its cassette, or to a host whose name says
 * that a model answers there. All other tunnels lead to their host.
 */
export function isAnsweredTunnel(authority: string, attempt: Attempt): boolean {
  const connection = tunnelTo(authority)
  const { config } = attempt
  if (config.mode === 'off') return false
  const address = new URL(connectionAddress(connection))
  if (matchesHost(address, config.allowHosts)) return false
  if (['certain', 'beside'].includes(judgeInScope('CONNECT', address.href, attempt, config)))
    return true
  // Replay answers side requests. A recording lets them pass.
  if (sendsNothing(config.mode) && isGuarded(connection, config)) return true
  if (closed.isOutside?.(connection, config)) return true
  if (wasRecordedAt(attempt, address.host)) return true
  // Also where most requests are side requests: some programs ask their model there.
  return !isLoopback(address) && isNamedAsModel(address, process.env)
}

/**
 * Whether the summary of the run names the host of a tunnel that passes: LLM calls in it would be neither recorded nor
 * replayed, and would fail no test. Git asks no model at any host, and says who it is.
 *
 * @param agent the header `user-agent` with which the tunnel was requested
 */
export function isNamedTunnel(authority: string, { config }: Attempt, agent = ''): boolean {
  if (config.mode === 'off' || agent.startsWith('git/')) return false
  const address = new URL(connectionAddress(tunnelTo(authority)))
  if (isLoopback(address) || sideRequestOf(address)) return false
  return !matchesHost(address, [...PACKAGE_HOSTS, ...config.allowHosts])
}

/** Words by which people name the hosts of models, and the variables that hold their addresses. */
const WORDS =
  /(?:^|[._-])(?:ai[._-]gateway|anthropic|bedrock|chatgpt|claude|gemini|genai|gpt|inference|litellm|llms?|mistral|ollama|openai|openrouter|vllm)(?=[._-]|\d|$)/i

/**
 * Whether the name of a host says that a model answers there, or the name of a variable that holds its address:
 * `llm.example.com`, `LLM_BASE_URL=https://corp.example.com`.
 */
export function isNamedAsModel(
  { hostname }: URL,
  variables: Readonly<Record<string, string | undefined>>,
): boolean {
  if (WORDS.test(hostname)) return true
  return Object.entries(variables).some(
    ([name, value = '']) => WORDS.test(name) && URL.parse(value)?.hostname === hostname,
  )
}

/**
 * Registries of packages and forges of git, at which no model answers: the end of a run does not name tunnels to them.
 * gitlab.com is not one of them, as models of GitLab Duo answer there.
 */
const PACKAGE_HOSTS = Object.values({
  git: `
    github.com api.github.com codeload.github.com gist.github.com raw.githubusercontent.com
    objects.githubusercontent.com release-assets.githubusercontent.com bitbucket.org
    api.bitbucket.org codeberg.org git.sr.ht ssh.dev.azure.com`,
  javascript: `
    registry.npmjs.org registry.npmmirror.com registry.yarnpkg.com repo.yarnpkg.com
    npm.pkg.github.com npm.jsr.io jsr.io deno.land nodejs.org bun.sh unpkg.com cdn.jsdelivr.net
    cdn.playwright.dev`,
  python: `
    pypi.org pypi.python.org test.pypi.org upload.pypi.org files.pythonhosted.org
    conda.anaconda.org repo.anaconda.com astral.sh releases.astral.sh`,
  otherLanguages: `
    crates.io index.crates.io static.crates.io static.rust-lang.org proxy.golang.org
    sum.golang.org go.dev repo.maven.apache.org repo1.maven.org maven.google.com
    plugins.gradle.org services.gradle.org api.nuget.org www.nuget.org rubygems.org
    index.rubygems.org packagist.org repo.packagist.org cpan.metacpan.org fastapi.metacpan.org
    cloud.r-project.org cran.r-project.org pub.dev hex.pm repo.hex.pm hackage.haskell.org
    cdn.cocoapods.org`,
  systems: `
    deb.debian.org security.debian.org archive.ubuntu.com security.ubuntu.com ports.ubuntu.com
    dl-cdn.alpinelinux.org formulae.brew.sh cache.nixos.org auth.docker.io index.docker.io
    registry-1.docker.io production.cloudflare.docker.com ghcr.io
    pkg-containers.githubusercontent.com quay.io`,
}).flatMap((hosts) => hosts.trim().split(/\s+/))
