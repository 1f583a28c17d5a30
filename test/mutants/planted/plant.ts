import { resolve } from "node:path"
import type { Plugin } from "vite"
import type { Fault } from "./Fault.ts"

/** Puts the mistake into its source as the tests load it; no file is written. */
export const plant = ({ file, sound, faulty }: Fault): Plugin => ({
  name: "planted-fault",
  enforce: "pre",
  transform: (text, id) => (id === resolve(file) ? plantFault(text, { sound, faulty }) : undefined)
})

/** The text with the mistake in it; a text that is not there exactly once is an error. */
export const plantFault = (text: string, { sound, faulty }: Pick<Fault, "sound" | "faulty">): string => {
  const parts = text.split(sound)
  if (parts.length !== 2) throw new Error(`stands ${parts.length - 1} times, not once: ${sound}`)
  return parts.join(faulty)
}
