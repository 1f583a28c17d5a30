import { leaseMs } from "../../core/limit/slots.ts"

/** Begins the name of a slot, a field that no other field of the hash is named like. */
export const slotMark = "="

/**
 * The calls in flight: each a field of the subject's hash that says when its lease ends, so that one command
 * takes a slot together with all else a call writes, one gives it back, and their number is that of the
 * fields. A lease that ran out is counted too until the limit is reached; only then are the slots read
 * through, and not again before the first of them may end.
 */
export const slots = `
local LEASE = ${leaseMs}

local end_of, end_at
local function slot_end(now)
  if end_of ~= now then end_of, end_at = now, format('%.0f', now + LEASE) end
  return end_at
end

local function count_slots(key, now)
  local fields, live, soonest, ended = call('HGETALL', key), 0, now + LEASE, {}
  for nth = 1, #fields, 2 do
    if byte(fields[nth]) == ${slotMark.charCodeAt(0)} then
      local ends = tonumber(fields[nth + 1])
      if ends > now then
        live = live + 1
        if ends < soonest then soonest = ends end
      else
        ended[#ended + 1] = fields[nth]
      end
    end
  end
  return live, soonest, ended
end

local function free(key, ended, taken)
  for _, slot in ipairs(ended) do
    if slot ~= taken then call('HDEL', key, slot) end
  end
end
`
