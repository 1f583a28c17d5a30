/** What is looked for first, since most texts lack it and are then done with. */
export const signs = {
  fiveDigits: (text: string): boolean => /(?:\d\D*){5}/.test(text),
  nineDigits: (text: string): boolean => /(?:\d\D*){9}/.test(text),
  /** A cue and what it announces. */
  wordAndDigit: (text: string): boolean => /\d/.test(text) && /[a-z][a-z.]/i.test(text),
  at: (text: string): boolean => text.includes("@"),
  /** Between a cue and a name, or the words of a street. */
  break: (text: string): boolean => /[ .:=]/.test(text)
}
export type Sign = keyof typeof signs
