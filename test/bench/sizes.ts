import { parseArgs } from "node:util"

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: "string", default: "5" }, seconds: { type: "string", default: "3" } }
})

/** The modes in the order in which they run; growth takes minutes to seed, and runs only by name. */
const modes = ["starts", "idle", "hot", "cold", "lost", "mix", "reads", "bare", "growth"] as const

const unknown = positionals.filter((word) => !modes.some((mode) => mode === word))
if (unknown.length > 0) throw new Error(`no such mode: ${unknown.join(", ")}; there are ${modes.join(", ")}`)

/** Whether a mode is to run: all but growth do where none is named. */
export const runs = (mode: (typeof modes)[number]): boolean =>
  positionals.length === 0 ? mode !== "growth" : positionals.includes(mode)

/** How often two servers alternate, and for how long each time: short, so that both meet the same noise. */
export const rounds = Number(values.rounds)
export const roundMs = Number(values.seconds) * 1_000

/** How long each is called before it is measured; V8 goes on compiling for some ten seconds. */
export const warmingMs = 15_000

/** Organizations and policies of the database, of which each call takes one of each. */
export const organizations = 5_000
export const policies = 1_000

/** Callers at once, each with a connection of its own. */
export const connections = 32

/** The window of a server that has just begun to listen, and of one whose limits' store lost its data. */
export const coldMs = 4_000
export const lostMs = 5_000

/** How long a server that nobody calls is left alone, and then watched. */
export const settlingMs = 10_000
export const idleMs = 30_000

/** Organizations to grow to. */
export const grownOrganizations = 500_000
