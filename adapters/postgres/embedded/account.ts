import { readFileSync } from "node:fs"
import { userInfo } from "node:os"

/** An account of the operating system. */
export interface Account {
  readonly uid: number
  readonly gid: number
  readonly name: string
}

/** Who runs this process. */
export const self = (): Account => {
  const uid = process.geteuid?.() ?? 0
  const gid = process.getegid?.() ?? 0
  return { ...account(uid, gid), uid, gid }
}

/** The account without rights that runs PostgreSQL for root. */
export const nobody = (): Account =>
  accounts().find((one) => one.name === "nobody") ?? { uid: 65_534, gid: 65_534, name: "nobody" }

/** The account of a user id; the name as PostgreSQL will look it up. */
export const account = (uid: number, gid: number): Account =>
  accounts().find((one) => one.uid === uid) ?? { uid, gid, name: nameOf(uid) }

// A directory service may know users that the file does not, but Node only tells the name of the present
// one.
const nameOf = (uid: number): string => {
  try {
    const user = userInfo()
    return user.uid === uid ? user.username : String(uid)
  } catch {
    return String(uid)
  }
}

const accounts = (): ReadonlyArray<Account> =>
  readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .flatMap((line) => {
      const [name, , uid, gid] = line.split(":")
      if (name === undefined || uid === undefined) return []
      return [{ name, uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 }]
    })
