/**
 * People, their memberships and invitations. The tables of schema `auth` are those that the library of people
 * would make; a test compares them with what it expects of the version in use. Sessions and links that ended
 * are found by their times, which the library has no index for.
 */
export const statements: ReadonlyArray<string> = [
  "create schema auth",
  `create table auth."user" (
    "id" text not null primary key,
    "name" text not null,
    "email" text not null unique,
    "emailVerified" boolean not null,
    "image" text,
    "createdAt" timestamptz default current_timestamp not null,
    "updatedAt" timestamptz default current_timestamp not null
  )`,
  `create table auth."session" (
    "id" text not null primary key,
    "expiresAt" timestamptz not null,
    "token" text not null unique,
    "createdAt" timestamptz default current_timestamp not null,
    "updatedAt" timestamptz not null,
    "ipAddress" text,
    "userAgent" text,
    "userId" text not null references auth."user" ("id") on delete cascade
  )`,
  `create table auth."account" (
    "id" text not null primary key,
    "accountId" text not null,
    "providerId" text not null,
    "userId" text not null references auth."user" ("id") on delete cascade,
    "accessToken" text,
    "refreshToken" text,
    "idToken" text,
    "accessTokenExpiresAt" timestamptz,
    "refreshTokenExpiresAt" timestamptz,
    "scope" text,
    "password" text,
    "createdAt" timestamptz default current_timestamp not null,
    "updatedAt" timestamptz not null
  )`,
  `create table auth."verification" (
    "id" text not null primary key,
    "identifier" text not null,
    "value" text not null,
    "expiresAt" timestamptz not null,
    "createdAt" timestamptz default current_timestamp not null,
    "updatedAt" timestamptz default current_timestamp not null
  )`,
  `create index "session_userId_idx" on auth."session" ("userId")`,
  `create index "session_ended" on auth."session" ("expiresAt")`,
  `create index "account_userId_idx" on auth."account" ("userId")`,
  `create index "verification_identifier_idx" on auth."verification" ("identifier")`,
  `create index "verification_ended" on auth."verification" ("expiresAt")`,
  `create table membership (
    organization_id text collate "C" not null references organization,
    person_id text not null references auth."user",
    role text not null check (role in ('owner', 'admin', 'member')),
    joined_at timestamptz not null,
    primary key (organization_id, person_id)
  )`,
  "create index membership_of_person on membership (person_id)",
  // One open invitation for an address: the next one takes its place.
  `create table invitation (
    invitation_id text collate "C" primary key,
    organization_id text collate "C" not null references organization,
    email text not null,
    role text not null check (role in ('owner', 'admin', 'member')),
    invited_by text not null,
    expires_at timestamptz not null,
    unique (organization_id, email)
  )`,
  // Who founded it counts it as theirs even after giving it away; null: the operator made it.
  `alter table organization add column founder_id text references auth."user"`,
  "create index organization_of_founder on organization (founder_id) where founder_id is not null",
  "create index organization_of_owner_email on organization (lower(owner_email)) where owner_email is not null"
]
