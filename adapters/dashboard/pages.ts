import { appsPages } from "./apps/apps.ts"
import { auditPages } from "./audit/audit.ts"
import { consentPages } from "./consent/consent.ts"
import { creditsPages } from "./credits/credits.ts"
import { keysPages } from "./keys/keys.ts"
import { landingPages } from "./landing/landing.ts"
import { noticesPages } from "./notices.ts"
import { choosingPages } from "./organization/choosing.ts"
import { invitationsPages } from "./organization/invitations.ts"
import { membersPages } from "./organization/members.ts"
import { settingsPages } from "./organization/settings.ts"
import { resetPages } from "./people/reset.ts"
import { signInPages } from "./people/signIn.ts"
import { signUpPages } from "./people/signUp.ts"
import { usagePages } from "./usage/usage.ts"
import { endpointPages } from "./webhooks/endpoint.ts"
import { webhooksPages } from "./webhooks/webhooks.ts"

/** Every page. A new one is a row of a table of its noun, spread in here (see Page.ts). */
export const pages = [
  ...landingPages,
  ...signUpPages,
  ...signInPages,
  ...resetPages,
  ...choosingPages,
  ...usagePages,
  ...keysPages,
  ...creditsPages,
  ...webhooksPages,
  ...endpointPages,
  ...appsPages,
  ...auditPages,
  ...membersPages,
  ...invitationsPages,
  ...settingsPages,
  ...consentPages,
  ...noticesPages
] as const
