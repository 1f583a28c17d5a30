import { enableCompileCache } from "node:module"

// Before anything else is loaded: the second command then skips compiling.
enableCompileCache()
const { runCommandLine } = await import("./run.ts")
runCommandLine(process.argv.slice(2))
