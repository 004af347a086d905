/** A kind of credential with the mark of its issuer. */
export type Issuer = readonly [
  /** The name that is shown to the user. */
  name: string,
  /** The text that all of them contain, two characters at least; case counts. */
  mark: string,
  /** A pattern of the text after the mark; bounded, so that a scan stays linear. */
  after: string,
  /** A pattern of the text before the mark, if the mark is no prefix. */
  before?: string,
]

const W = '[A-Za-z0-9]'
const L = '[a-z0-9]'
const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'

/**
 * The issuers of credentials, and their forms: those that gitleaks does not know, or knows in fewer forms. A new one is
 * a line here, and one in `test/reliability/prefixed.ts`. `npm run credential-rules` writes those of gitleaks into
 * `gitleaks.json`; the rules of secretlint apply beside both.
 */
export const ISSUERS: readonly Issuer[] = [
  // Model providers, and services that programs use beside them.
  ['openai', 'sk-', String.raw`(?:proj-|svcacct-|admin-|None-)?[\w-]{16,156}T3BlbkFJ[\w-]{16,156}`],
  ['openai-session', 'sess-', `${W}{40,200}`],
  ['openai-client-secret', 'ek_', `${W}{24,200}`],
  ['anthropic', 'sk-ant-', String.raw`[a-z]{3,10}\d\d-[\w-]{32,200}`],
  // Shared by DeepSeek, Moonshot, DashScope and many gateways that speak OpenAI's format.
  ['sk-key', 'sk-', `(?:helicone-|litellm-)?${W}{32,64}`],
  ['sk-key', 'sk_', `${W}{32,64}`],
  ['google-oauth', 'ya29.', String.raw`[\w-]{40,600}`],
  ['google-client-secret', 'GOCSPX-', String.raw`[\w-]{28}`],
  ['azure-ai', 'JQQJ9', `[9DH]${W}{8,30}`, `${W}{52}`],
  ['bedrock', 'bedrock-api-key-', '[A-Za-z0-9+/]{40,2000}={0,2}'],
  ['openrouter', 'sk-or-v1-', '[0-9a-f]{64}'],
  ['xai', 'xai-', `${W}{70,90}`],
  ['replicate', 'r8_', `${W}{37}`],
  ['fireworks', 'fw_', `${W}{22,32}`],
  ['together', 'tgp_v1_', String.raw`[\w-]{40,50}`],
  ['cerebras', 'csk-', `${W}{44,52}`],
  ['voyage', 'pa-', String.raw`[\w-]{42,46}`],
  ['nvidia', 'nvapi-', String.raw`[\w-]{60,70}`],
  ['groq', 'gsk_', `${W}{48,60}`],
  ['huggingface', 'hf_', `${W}{34,40}`],
  ['huggingface-organization', 'api_org_', `${W}{34}`],
  ['langfuse', 'sk-lf-', UUID],
  ['langfuse', 'pk-lf-', UUID],
  ['langsmith', 'lsv2_', '[a-z]{2}_[0-9a-f]{32}_[0-9a-f]{10}'],
  ['vercel', 'vck_', `${W}{40,70}`],
  ['pinecone', 'pcsk_', String.raw`[\w-]{60,80}`],
  ['tavily', 'tvly-', `(?:dev-|prod-)?${W}{28,40}`],
  ['elevenlabs', 'sk_', '[0-9a-f]{48}'],
  ['jina', 'jina_', String.raw`[\w-]{60,70}`],
  ['llama-cloud', 'llx-', `${W}{48,60}`],
  ['firecrawl', 'fc-', '[0-9a-f]{32}'],
  ['runpod', 'rpa_', `${W}{30,60}`],
  ['modal', 'ak-', `${W}{20,32}`],
  ['modal', 'as-', `${W}{20,32}`],
  ['modal', 'wk-', `${W}{20,32}`],
  ['modal', 'ws-', `${W}{20,32}`],
  ['e2b', 'e2b_', '[0-9a-f]{40}'],
  ['browserbase', 'bb_live_', String.raw`[\w-]{20,60}`],
  ['brave-search', 'BSA', String.raw`[\w-]{27,28}`],

  // Code, packages and continuous integration.
  ['gitlab', '_gitlab_session=', `${L}{32}`],
  ['crates', 'cio', `${W}{32}`],
  ['sonar', 'squ_', '[0-9a-f]{40}'],
  ['sonar', 'sqp_', '[0-9a-f]{40}'],
  ['sonar', 'sqa_', '[0-9a-f]{40}'],
  ['circleci', 'CCIPRJ_', String.raw`\w{50,80}`],
  ['docker', 'dckr_oat_', String.raw`[\w-]{27,32}`],
  ['pypi', 'pypi-AgE', String.raw`[\w-]{50,1000}`],
  ['docker', 'dckr_pat_', String.raw`[\w-]{27}`],
  ['sourcegraph', 'sgp_', '(?:(?:[0-9a-fA-F]{16}|local)_)?[0-9a-fA-F]{40}'],
  ['bitbucket', 'ATBB', `${W}{32}`],
  ['bitbucket', 'ATCTT3', String.raw`[\w=-]{60,300}`],
  ['buildkite', 'bkua_', '[0-9a-f]{40}'],
  ['circleci', 'CCIPAT_', String.raw`\w{50,80}`],
  ['contentful', 'CFPAT-', String.raw`[\w-]{43}`],
  ['netlify', 'nfp_', `${W}{36,40}`],
  ['nuget', 'oy2', `${L}{43}`],
  ['trello', 'ATTA', '[0-9a-f]{64}[0-9A-F]{8}'],

  // Clouds, databases and platforms.
  ['azure-ad', 'Q~', String.raw`[\w~.-]{31,34}`, String.raw`[\w~.]{3}\d`],
  ['tencent', 'AKID', `${W}{32}`],
  ['cloudflare', 'v1.0-', '[0-9a-f]{24}-[0-9a-f]{146}'],
  ['fly', 'fm1', '[ar]_[A-Za-z0-9+/]{100,2000}={0,3}'],
  ['supabase', 'sbp_', '[0-9a-f]{40}'],
  ['supabase', 'sb_secret_', String.raw`[\w-]{20,60}`],
  ['terraform', '.atlasv1.', String.raw`[\w=-]{60,70}`, `${W}{14}`],
  ['vault', 'hvs.', String.raw`[\w-]{24,120}`],
  ['vault', 'hvr.', String.raw`[\w-]{24,120}`],
  ['vault', 's.', `${W}{24}`],
  ['yandex', 't1.', String.raw`[\w-]{10,300}={0,2}\.[\w-]{86}={0,2}`],
  ['yandex', 'AQVN', String.raw`[\w-]{35,38}`],
  ['firebase', ':APA91b', String.raw`[\w-]{130,200}`, String.raw`[\w-]{7,30}`],
  ['google-refresh', '1//0', String.raw`[\w-]{40,200}`],
  ['neon', 'napi_', `${L}{60,70}`],
  ['render', 'rnd_', `${W}{28,40}`],

  // Monitoring, and feature flags.
  ['grafana', 'eyJrIjoi', `${W}{70,400}={0,3}`],
  ['new-relic', 'NRAK-', `${W}{27}`],
  ['new-relic', 'NRII-', '[A-Za-z0-9-]{32}'],
  ['new-relic', 'NRJS-', '[0-9a-f]{19}'],
  ['sentry', 'sntrys_', '[A-Za-z0-9+/=]{20,400}(?:_[A-Za-z0-9+/]{43})?'],
  ['sentry', 'sntryi_', '[0-9a-f]{64}'],
  ['posthog', 'phx_', `${W}{40,50}`],
  ['launchdarkly', 'sdk-', UUID],
  ['launchdarkly', 'api-', UUID],

  // Messages and mail.
  ['discord', 'discord.com/api/webhooks/', String.raw`\d{17,20}\/[\w-]{60,80}`],
  ['discord', 'discordapp.com/api/webhooks/', String.raw`\d{17,20}\/[\w-]{60,80}`],
  ['discord', 'mfa.', String.raw`[\w-]{80,100}`],
  ['zapier', 'hooks.zapier.com/hooks/catch/', String.raw`\d{4,10}\/[a-z0-9]{6,10}`],
  ['mailchimp', '-us', String.raw`\d\d?`, '[0-9a-f]{32}'],
  ['mailgun', 'key-', '[0-9a-f]{32}'],
  [
    'microsoft-teams',
    '.webhook.office.com/webhookb2/',
    String.raw`[\w@-]{73}\/IncomingWebhook\/[\w/-]{60,80}`,
  ],
  ['sendgrid', 'SG.', String.raw`[\w-]{16,32}\.[\w=-]{32,64}`],
  ['sendinblue', 'xsmtpsib-', `[0-9a-f]{64}-${W}{16}`],
  ['slack', 'xoxp-', `${W}[A-Za-z0-9-]{16,200}`],
  ['slack', 'xoxa-', `${W}[A-Za-z0-9-]{8,200}`],
  ['slack', 'xoxr-', `${W}[A-Za-z0-9-]{8,200}`],
  ['slack', 'xoxo-', `${W}[A-Za-z0-9-]{16,200}`],
  ['slack', 'xoxs-', `${W}[A-Za-z0-9-]{16,200}`],
  ['slack', 'xoxe.xox', '[bp]-[A-Za-z0-9-]{16,200}'],
  ['slack', 'hooks.slack.com/', '(?:services|workflows|triggers)/[A-Za-z0-9+/]{30,90}'],
  ['telegram', ':AA', String.raw`[\w-]{33}`, String.raw`\d{8,10}`],
  ['twilio', 'SK', '[0-9a-fA-F]{32}'],
  ['mailersend', 'mlsn.', '[0-9a-f]{64}'],
  ['resend', 're_', `${W}{8}_${W}{24}`],

  // Shops, payments and office tools.
  ['1password', 'A3-', '[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}'],
  ['1password', 'ops_eyJ', '[A-Za-z0-9+/]{100,2000}={0,3}'],
  ['airtable', 'pat', String.raw`${W}{14}\.[0-9a-f]{64}`],
  ['asana', '1/', String.raw`\d{16}:[0-9a-f]{32}`],
  ['atlassian', 'ATATT3', String.raw`[\w=-]{60,300}`],
  [
    'authress',
    '.acc',
    String.raw`[_-][a-z0-9-]{10,32}\.[\w+/=-]{30,120}`,
    String.raw`(?:sc|ext|scauth|authress)_${L}{5,30}\.${L}{4,6}`,
  ],
  ['beamer', 'b_', String.raw`[\w=-]{44}`],
  ['defined-networking', 'dnkey-', String.raw`[\w=-]{26}-[\w=-]{52}`],
  ['doppler', 'dp.', String.raw`(?:pt|st|ct|sa|scim|audit)\.(?:[\w-]{2,35}\.)?${W}{40,44}`],
  ['dropbox', 'sl.', String.raw`[\w=-]{130,1500}`],
  ['duffel', 'duffel_', String.raw`(?:test|live)_[\w=-]{43}`],
  ['facebook', 'EAAM', `${W}{100,400}`],
  ['facebook', 'EAAC', `${W}{100,400}`],
  ['figma', 'figd_', String.raw`[\w-]{40,200}`],
  ['flutterwave', 'FLWSECK-', '[a-h0-9]{32}-X'],
  ['hubspot', 'pat-na', String.raw`\d-${UUID}`],
  ['intra42', 's-s4t2', '(?:ud|af)-[0-9a-f]{64}'],
  ['clickup', 'pk_', String.raw`\d{5,10}_[A-Z0-9]{32}`],
  ['linear', 'lin_', `(?:api|oauth)_${W}{32,64}`],
  ['mapbox', 'sk.eyJ', String.raw`[\w-]{40,200}\.[\w-]{20,30}`],
  ['mapbox', 'pk.', String.raw`${L}{60}\.${L}{22}`],
  ['maxmind', '_mmk', '', `${W}{6}_${W}{29}`],
  ['notion', 'secret_', `${W}{43}`],
  ['plaid', 'access-', `(?:sandbox|development|production)-${UUID}`],
  ['settlemint', 'sm_', `(?:aat|pat|sat)_${W}{16}`],
  ['braintree', 'access_token$', '(?:production|sandbox)[$][0-9a-z]{16}[$][0-9a-f]{32}'],
  ['razorpay', 'rzp_', `(?:live|test)_${W}{14}`],
  ['shippo', 'shippo_', '(?:live|test)_[0-9a-fA-F]{40}'],
  ['square', 'EAAA', String.raw`[\w-]{56,60}`],
  ['square', 'sq0csp-', String.raw`[\w-]{43}`],
  ['stripe', 'sk_', `(?:live|test|prod)_${W}{10,99}`],
  ['stripe', 'rk_', `(?:live|test|prod)_${W}{10,99}`],
  ['stripe', 'whsec_', '[A-Za-z0-9+/]{32,64}={0,2}'],
  ['tailscale', 'tskey-', String.raw`[a-z]{2,20}-\w{8,40}-\w{16,60}`],
  ['x', 'AAAAAAAAAAAAAAAAAAAAA', '[A-Za-z0-9%]{60,120}'],
  ['wakatime', 'waka_', UUID],
  ['typeform', 'tfp_', String.raw`[\w.=-]{59}`],
]

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
