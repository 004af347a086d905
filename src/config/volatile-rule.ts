/**
 * Says which parts of a request may vary between runs:
 * - a path into the JSON body, such as `metadata.user_id` or `messages[*].id`
 * - a function that returns the volatile pieces of a text
 */
export type VolatileRule = string | FindVolatile

/** Returns the pieces of `text` that may vary; an empty array when there are none. */
export type FindVolatile = (text: string) => readonly string[]
