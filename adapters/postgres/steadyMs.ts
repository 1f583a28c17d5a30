/**
 * The clock of this process that nobody sets: ms since it started. Unix time may be stepped back, and a cache
 * that went by it would believe itself fresh for as long as the step.
 */
export const steadyMs = (): number => performance.now()
