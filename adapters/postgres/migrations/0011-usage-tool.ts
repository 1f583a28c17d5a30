/**
 * Usage is summed by MCP tool too (§5, MCP authentication); '' stands for a call that came by none. A process
 * of the version before still charges: its rows get the default. It no longer sums, which those beside it do.
 */
export const statements: ReadonlyArray<string> = [
  "alter table usage_pending add column tool text not null default ''",
  `alter table usage_day add column tool text collate "C" not null default ''`,
  "alter table usage_day drop constraint usage_day_pkey",
  "alter table usage_day add primary key (organization_id, day, operation, caller, source, tool)"
]
