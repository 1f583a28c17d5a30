/**
 * Writes a usage row as a charge does and takes it back, in one statement: what keeps charges from being
 * made, keeps this from answering. The row goes to the partition of ids that bear no time.
 */
export const statements: ReadonlyArray<string> = [
  `create function probe_charge() returns boolean language plpgsql as $$
    begin
      insert into usage (organization_id, request_id, operation, cost, status, caller, source, at)
        values ('probe', 'probe', 'probe', 0, 200, 'probe', 'probe', now());
      update account set allowance = allowance where organization_id = 'probe';
      raise exception sqlstate 'PROBE';
    exception when sqlstate 'PROBE' then
      return true;
    end $$`
]
