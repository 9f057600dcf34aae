// Renders sentences of the page protocol, `{key, slots, text}`: the one place for a translation.

/** The English text of a sentence; "" for null. Texts of the page itself stay as they are. */
export const sentenceText = (sentence) => (typeof sentence === "string" ? sentence : (sentence?.text ?? ""));
