/** Variables with the name of a credential that hold none; another value is another prompt. */
export const VARIABLES: Array<[name: string, value: string, changed: string]> = [
  ['MODEL_KEY', 'gpt-4o-mini', 'gpt-4.1-nano'],
  ['MODEL_KEY', 'anthropic/claude-sonnet-4-5-20250929', 'anthropic/claude-opus-4-1-20250805'],
  ['MODEL_KEY', 'mixtral-8x7b-instruct', 'mixtral-8x22b-instruct'],
  ['PASSWORD_POLICY', 'at least 8 characters, 1 digit', 'at least 12 characters, 1 digit'],
  ['PASSWORD_HINT', 'The name of the first pet, and 2 digits', 'The street of the school'],
  ['SECRET_QUESTION', 'In which town was Anna born in 1987?', 'What is the name of the dog?'],
  ['SECRET_SANTA_THEME', 'winter-wonderland-2024', 'winter-on-the-moon-2025'],
  ['TOKEN_BUDGET', 'at most 4000 a day', 'at most 9000 a day'],
  ['TOKEN_BUDGET_PER_DAY', '100000000000', '900000000000'],
  [
    'AUTH_PROMPT',
    'Please sign in with your account of 2025.',
    'Please sign in at once, with 2 keys.',
  ],
  ['COOKIE_BANNER', 'We use cookies to count our visitors.', 'We use no cookies any more, at all.'],
  ['CACHE_KEY', 'user-profile-v2', 'user-profile-v3'],
  ['PROMPT_KEY', 'support-agent-de-2', 'support-agent-fr-2'],
  ['SORT_KEY', 'created_at_descending', 'updated_at_descending'],
  ['FEATURE_KEY', 'beta-users-2024', 'beta-users-2025'],
  ['ROUTE_KEY', 'eu-west-1', 'us-west-2-lax-1'],
  ['I18N_KEY', 'welcome.message.title2', 'welcome.message.title3'],
  ['KEY_VAULT', 'acme-production-2', 'acme-production-3'],
  ['PASS_CRITERIA', 'recall of 80 percent', 'recall of 90 percent'],
]

/** Credentials that no issuer has marked, in variables that say so. */
export const SHAPELESS: Array<[name: string, value: string, other: string]> = [
  ['DB_PASSWORD', 'hunter2horse', 'tr0ub4dor&3'],
  ['DB_PASSWORD', 'correct horse battery staple', 'staple-battery-horse-correct'],
  ['PGPASSWORD', 'Winter2024', 'Summer2025!'],
  ['ADMIN_PASSWORD_PROD', 'blue-sky-thinking-24', 'green-grass-growing-25'],
  ['PASSWORD_ADMIN', 'blue-sky-thinking-24', 'green-grass-growing-25'],
  ['AZURE_OPENAI_KEY', '0f1e2d3c4b5a69788796a5b4c3d2e1f0', 'a1b2c3d4e5f60718293a4b5c6d7e8f90'],
  [
    'AWS_SECRET_ACCESS_KEY',
    'q8Zr2LmT0vYw7k3Xs9+/B1nPdQeRfUgHiJkLaMcO',
    'Zz8Yy7Xx6Ww5Vv4Uu3Tt2Ss1Rr0Qq9Pp8Oo7Nn6M',
  ],
  ['FAL_KEY', '8f14e45f-ceea-467f-a8b2-9d3c1e5b7a60', '1b2c3d4e-5f60-4718-893a-4b5c6d7e8f90'],
  ['SECRET_KEY_BASE', 'keyboard cat on the roof', 'a dog below the table it is'],
  ['NEXT_AUTH_SECRET', 'keyboard cat on the roof', 'a dog below the table it is'],
  ['LITELLM_MASTER_KEY', 'sk-team-blue-2024', 'sk-team-green-2025'],
  ['PROMPT_LAYER_API_KEY', 'team-blue-is-the-best', 'team-green-is-the-best'],
  ['GITHUB_TOKEN', 'q8Zr2LmT0vYw7', 'k3Xs9B1nPdQeR'],
  ['MODEL_KEY', 'q8Zr2LmT0vYw7', 'k3Xs9B1nPdQeR'],
  ['SERVICE_KEY', 'hunter2horse9lives', 'tr0ub4dor3times'],
]
