/**
 * Usage rows by their request ids alone, which begin with their time: each is written at the end of the
 * index, where one led by the organization touches a page of its own for nearly every call. It also refuses a
 * second charge of a request id whoever pays. What an organization used of a day is summed from the ledger.
 */
export const statements: ReadonlyArray<string> = [
  "alter table usage drop constraint usage_pkey",
  "alter table usage add primary key (request_id)"
]
