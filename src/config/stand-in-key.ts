/** The stand-in for a key that is not set. It authenticates nowhere, and explains itself in logs. */
export const STAND_IN_KEY = 'sk-replay-no-network'
