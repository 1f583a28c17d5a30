/** What is told together: of one ladder and period only the highest rung reached is told. */
export type Ladder = "allowance" | "overage_cap" | "balance" | "endpoint" | "key" | "sign_in"

/** How a page sets it off; a screen reader hears the word. */
export const severities = ["Note", "Warning", "Urgent"] as const
export type Severity = (typeof severities)[number]

/** One row per kind of notice: the email, the page's sentence and the link all derive from it. */
export interface NoticeRow {
  readonly ladder: Ladder
  /** Once a rung is told, the lower ones of its period never are. */
  readonly rung: number
  readonly severity: Severity
  readonly title: string
  /** What happened. */
  readonly sentence: string
  /** What follows from it, and what to do. */
  readonly advice: string
  /** Where it is mended; a path of an organization's notice is beneath its dashboard. */
  readonly path: `/${string}`
  readonly link: string
}

const credits = { path: "/credits", link: "See credits and the overage cap" } as const
const buyCreditsHint = { path: "/credits", link: "See how to buy credits or change the pack" } as const
const key = { path: "/keys", link: "See the keys" } as const
const used = "{used} of this month's {granted} credits are used; {left} are left before overage."
const expires = "The key {name} ({key}) expires on {expires}. Calls with it are refused from then on."
const rotate = "Make a new key or rotate this one, and change it wherever it is used."

/** Everything owners and admins are told of (usage and keys dashboard). A new kind is a row here. */
export const noticeRows = {
  credits_80: {
    ...{ ladder: "allowance", rung: 80, severity: "Note", ...credits },
    title: "80 % of this month's credits are used",
    sentence: used,
    advice:
      "The allowance renews on {renews}. When it is used up, credits you bought are spent, then " +
      "calls go on as overage at {price} a credit."
  },
  credits_100: {
    ...{ ladder: "allowance", rung: 100, severity: "Warning", ...credits },
    title: "This month's credits are used up",
    sentence: used,
    advice:
      "The allowance renews on {renews}. Until then credits you bought are spent, then calls go on " +
      "as overage at {price} a credit, up to your cap."
  },
  overage_begun: {
    ...{ ladder: "allowance", rung: 101, severity: "Warning", ...credits },
    title: "Overage has begun",
    sentence:
      "This month's {granted} credits and all that were bought are used up. {overage} credits of " +
      "overage are used, at {price} each; the cap is {cap}.",
    advice: "Calls go on and are billed. Set a cap if they should stop, or choose a higher pack."
  },
  credits_150: {
    ...{ ladder: "allowance", rung: 150, severity: "Urgent", ...credits },
    title: "150 % of this month's credits are used",
    sentence:
      "{used} credits are used this month, of an allowance of {granted}. {overage} of them are " +
      "overage at {price} each; the cap is {cap}.",
    advice: "Calls go on and are billed. Set a cap if they should stop, or choose a higher pack."
  },
  overage_cap: {
    ...{ ladder: "overage_cap", rung: 1, severity: "Urgent", ...credits },
    title: "The overage cap is reached",
    sentence:
      "{overage} credits of overage are used, and the cap is {cap}. What is left is less than the " +
      "dearest call costs, so calls are refused as BILLING_CREDITS_EXHAUSTED.",
    advice: "Raise or lift the cap, or choose a higher pack. The allowance renews on {renews}."
  },
  credits_low: {
    ...{ ladder: "balance", rung: 1, severity: "Warning", ...buyCreditsHint },
    title: "Credits are running low",
    sentence: "{left} credits are left.",
    advice: "The Credits pack stops at zero: calls are then refused. Buy credits before that."
  },
  credits_empty: {
    ...{ ladder: "balance", rung: 2, severity: "Urgent", ...buyCreditsHint },
    title: "Credits are used up",
    sentence: "{left} credits are left, fewer than the dearest call costs: calls that cost more are refused.",
    advice: "Buy credits, or choose a pack with a monthly allowance."
  },
  endpoint_disabled: {
    ...{ ladder: "endpoint", rung: 1, severity: "Urgent", path: "/webhooks" },
    title: "A webhook endpoint is disabled",
    sentence:
      "The endpoint {endpoint} at {host} was disabled on {disabled}: {why}. Last HTTP status: " +
      "{status}. {error}",
    advice:
      "Nothing is sent to it. Mend the receiver, set the endpoint active again, and replay what it " +
      "missed.",
    link: "See the endpoint and its delivery log"
  },
  key_expires_7d: {
    ...{ ladder: "key", rung: 1, severity: "Warning", ...key },
    title: "An API key expires within 7 days",
    sentence: expires,
    advice: rotate
  },
  key_expires_1d: {
    ...{ ladder: "key", rung: 2, severity: "Urgent", ...key },
    title: "An API key expires within a day",
    sentence: expires,
    advice: rotate
  },
  /** Never kept: `key_expires_1d` is told as this one where the key ends because it was rotated. */
  key_rotated: {
    ...{ ladder: "key", rung: 2, severity: "Note", ...key },
    title: "A rotated API key ends within a day",
    sentence: "The key {name} ({key}) was rotated: {successor} takes its place, and it ends on {expires}.",
    advice: "Change it wherever it is still used: calls with it are refused from then on."
  },
  new_sign_in: {
    ...{ ladder: "sign_in", rung: 1, severity: "Note", path: "/forgot" },
    title: "A new sign-in to your account",
    sentence:
      "Your account was signed in to at {at} from {address}, which was not seen in the last 30 " +
      "days. Browser: {agent}.",
    advice: "If that was not you, set a new password at once: it closes every session.",
    link: "Set a new password"
  }
} as const satisfies Readonly<Record<string, NoticeRow>>
export type NoticeKind = keyof typeof noticeRows

export const noticeKinds = Object.keys(noticeRows) as ReadonlyArray<NoticeKind>

/** A kind's row; the keys are the kinds. */
export const rowOf = (kind: NoticeKind): NoticeRow => noticeRows[kind]
