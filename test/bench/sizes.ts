/** Organizations of the database, each of which calls in turn. */
export const organizations = Number(process.env["BENCH_ORGANIZATIONS"] ?? 5_000)

/** How often bare and ours alternate, and for how long each time: short, so that both meet the same noise. */
export const rounds = Number(process.env["BENCH_ROUNDS"] ?? 15)
export const roundMs = 1_000

/** How long each is called before it is measured; V8 goes on compiling for some ten seconds. */
export const warmingMs = 12_000

/** Callers at once, each with a connection of its own. */
export const connections = 64

/** As many of them as a busy node has: calls that arrive together share what they ask of the stores. */
export const crowdedConnections = 256

/** Organizations to grow to in the end; 0: the growth is not measured, since it takes minutes to seed. */
export const grown = Number(process.env["BENCH_GROWTH"] ?? 0)
