/** A user as chats mention one, whether the application has written the mention already or not. */
export function mentionOf(userId: string): string {
  return /^<@.*>$/s.test(userId) ? userId : `<@${userId.replace(/^@/, '')}>`
}
