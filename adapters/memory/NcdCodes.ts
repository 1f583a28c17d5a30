import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { NcdCode } from "../../core/coverage/NcdCode.ts"
import { ncdCodeKey, reviseNcdCodes } from "../../core/coverage/NcdCode.ts"
import { NcdCodes } from "../../core/port/NcdCodes.ts"
import { Library } from "./Library.ts"

/** The table from NCDs to codes, kept in the process. */
export const layer = Layer.effect(
  NcdCodes,
  Effect.map(Library, (library) =>
    NcdCodes.of({
      among: ({ codes }) => Effect.sync(() => rowsAmong(library, codes)),
      save: (list) =>
        Effect.sync(() => {
          const known = library.ncdCodes[list.origin]
          const { dropped, written } = reviseNcdCodes([...known.values()], list)
          for (const row of dropped) known.delete(ncdCodeKey(row))
          for (const row of written) known.set(ncdCodeKey(row), row)
          const count = dropped.length + written.length
          if (count > 0) library.generation.count += 1
          return { written: count }
        })
    })
  )
)

/** The rows of the codes, an imported one in the place of the shipped one. */
export const rowsAmong = (
  { ncdCodes: { imported, shipped } }: Pick<typeof Library.Service, "ncdCodes">,
  codes: ReadonlyArray<string>
): ReadonlyArray<NcdCode> =>
  [...new Map([...shipped, ...imported])]
    .filter(([, row]) => codes.includes(row.code))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, row]) => row)
