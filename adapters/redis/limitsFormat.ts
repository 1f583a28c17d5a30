/** Stands where the told day would be when nothing is told. */
export const nothingTold = -1

/** Stands for the server's own TIME where a caller's clock would be. */
export const serverClock = -1

/** Every number of an answer has eight bytes, the lowest first. */
export const bytesPerNumber = 8

/** The first number of an answer. */
export const verdicts = { admitted: 0, minute: 1, day: 2, concurrent: 3, unknown: 4, failed: -1 } as const

/** What a command in the script may fail with, for one entry; the answer bears its place in this list. */
export const failureWords = ["WRONGTYPE", "OOM", "READONLY", "MISCONF", "NOREPLICAS"] as const

/** An admission is answered by its verdict, remaining, and the instant. */
export const admissionBytes = 3 * bytesPerNumber

/**
 * All else is answered by its verdict, remaining, reset, retry after, the instant, and how long the refusal
 * stands.
 */
export const refusalBytes = 6 * bytesPerNumber

/** The first terms are named by this byte, the next ones by those that follow. */
export const firstTermsByte = 33

/**
 * A key outlives two of these, and the day it counts; its life is prolonged at a subject's first call in each
 * ten minutes.
 */
export const tidyMs = 600_000

/**
 * So many of a log's calls are stored together. Its oldest and its newest ones, up to as many of each, are
 * read and written with every call; a chunk between them is written and read once.
 */
export const callsPerChunk = 8

/** Begins the name of a slot, a field that no other field of the hash is named like. */
export const slotMark = "="
