/** A path that a rule can name without wildcards. */
export const SIMPLE_PATH: RegExp = /^\$(?:\.[\w-]+)+$/

/** Any path that a rule can name. */
export const VOLATILE_PATH: RegExp = /^\$(?:\.[^.[\]]+|\[(?:\d+|\*)\])+$/

const CONVERSATION = String.raw`messages|contents|input|system|prompt|instructions|tools|history|\w*[pP]rompt`

/** Paths into the conversation. A rule for one would accept every prompt, so none is suggested. */
export const IN_CONVERSATION: RegExp = new RegExp(String.raw`^\$\.(?:${CONVERSATION})\b`)

/** Paths of all texts of the conversation, whatever their number. */
export const WHOLE_PROMPT: RegExp = new RegExp(
  String.raw`^\$\.(?:${CONVERSATION}|systemInstruction|system_instruction)(?:\[\*\]|\.(?:content|parts|text))*$`,
)
