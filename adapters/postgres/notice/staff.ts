/** Everybody who owns or administers an organization, with the address they have now. */
export const staffSql = `select m.organization_id, m.person_id, u.email
  from membership m join auth."user" u on u.id = m.person_id where m.role in ('owner', 'admin')`
