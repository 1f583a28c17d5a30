import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as PeopleStore from "../../adapters/identity/People.ts"
import type { Settings } from "../../core/port/Settings.ts"
import { surroundings } from "../kit/people.ts"
import { freshDatabase } from "../kit/postgres.ts"
import * as Database from "../../adapters/postgres/Database.ts"

/** People over a database, whose own client comes along. */
export const peopleAt = (connection: Database.Connection, given: Partial<Settings["Service"]> = {}) =>
  Layer.fresh(PeopleStore.layer).pipe(
    Layer.provideMerge(Layer.fresh(surroundings(given))),
    Layer.provideMerge(Database.layer(connection)),
    Layer.orDie
  )

/** People over a fresh database. */
export const postgresPeople = Layer.unwrap(Effect.map(freshDatabase, (connection) => peopleAt(connection)))
