import type { Page } from "playwright-core"
import { vi } from "vitest"
import { timeoutMs } from "./stage.ts"
import type { Stage } from "./stage.ts"

export const password = "four words make it"

export interface Newcomer {
  readonly name: string
  readonly email: string
}

/** Requests the email of a sign-up, opens its link, and fills in the form there. */
export const signUp = async (stage: Stage, page: Page, { email, name }: Newcomer): Promise<void> => {
  await page.getByLabel("Email").fill(email)
  await press(page, "Send the link")
  await waitForTitle(page, "Check your email")
  await page.goto(await stage.linkTo(email, "/verify"))
  await page.getByLabel("Your name").fill(name)
  await page.getByLabel("Password").fill(password)
  await press(page, "Create account")
}

/** Makes an organization and answers its home, `/dashboard/<id>`. */
export const newOrganization = async (page: Page, name: string): Promise<string> => {
  await page.getByLabel("Organization name").fill(name)
  await press(page, "Create organization")
  await waitForTitle(page, "Usage")
  return new URL(page.url()).pathname.replace(/\/usage$/, "")
}

/** Makes a key and answers it, as the page shows it this once. */
export const createKey = async (page: Page, home: string, name: string): Promise<string> => {
  await page.goto(`${home}/keys`)
  await page.getByLabel("Name").fill(name)
  await press(page, "Create key")
  await waitForTitle(page, "Your new key")
  return (await page.locator("#key").textContent()) ?? ""
}

/** Asks the API with a key: "answered", or the code of the refusal. */
export const ask = async ({ url }: Stage, key: string): Promise<string> => {
  const headers = { authorization: `Bearer ${key}` }
  const answer = await fetch(`${url}/api/v1/jurisdictions`, { headers })
  const { error } = (await answer.json()) as { readonly error?: { readonly code: string } }
  return answer.status === 200 ? "answered" : (error?.code ?? String(answer.status))
}

/**
 * Loads the usage page until it shows calls, since usage is gathered for a moment before it is kept; answers
 * the table of operations.
 */
export const seeUsage = (page: Page, home: string): Promise<string> =>
  vi.waitFor(
    async () => {
      await page.goto(`${home}/usage`)
      const operations = page.getByRole("region", { name: "Calls by operation" })
      if (!(await operations.isVisible())) throw new Error("the usage page shows no call")
      return (await operations.textContent()) ?? ""
    },
    { timeout: timeoutMs, interval: 500 }
  )

export const press = (page: Page, name: string): Promise<void> =>
  page.getByRole("button", { name, exact: true }).click()

/** Waits for the page of that title. */
export const waitForTitle = (page: Page, name: string): Promise<void> =>
  page.getByRole("heading", { name, level: 1, exact: true }).waitFor()
