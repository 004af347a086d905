/** What is lent for a key that is not set. It authenticates nowhere, and says in logs why it was seen there. */
export const STAND_IN_KEY = 'sk-replay-no-network'
