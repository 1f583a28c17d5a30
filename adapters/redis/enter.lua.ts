import { dayMs } from "../../core/limit/quota.ts"
import { slotRetryMs } from "../../core/limit/slots.ts"
import { windowMs } from "../../core/limit/window.ts"
import { log } from "./log.lua.ts"
import { slots } from "./slots.lua.ts"

/** Stands where the told day would be when nothing is told. */
export const nothingTold = -1

/** Stands for the server's own TIME where a caller's clock would be. */
export const serverClock = -1

/** Every number of an answer has eight bytes, the lowest first. */
export const bytesPerNumber = 8

/** The first number of an answer. */
export const verdicts = { admitted: 0, minute: 1, day: 2, concurrent: 3, unknown: 4, failed: -1 } as const

/** An admission is answered by its verdict, remaining, and the instant. */
export const admissionBytes = 3 * bytesPerNumber

/**
 * All else is answered by its verdict, remaining, reset, retry after, the instant, and how long the refusal
 * stands.
 */
export const refusalBytes = 6 * bytesPerNumber

/** The first terms are named by this byte, the next ones by those that follow. */
export const firstTermsByte = 33

/**
 * A key outlives two of these, and the day it counts; its life is prolonged at a subject's first call in each
 * ten minutes.
 */
export const tidyMs = 600_000

/**
 * The kernel's `enter` and `attempt` for a batch of entries, in order; law 1 of Limits holds the two
 * together. An entry whose key is damaged fails alone. A refusal writes nothing but what it was told of the
 * day and learnt of the slots.
 *
 * KEYS are those of the entries, then those of the slots to give back, which are given back first. ARGV[1] is
 * the number of entries. ARGV[2] has a line for each of KEYS, the slot's name, and before an entry's a byte
 * that names its terms. The terms follow: clock, cost, the limits of the minute, the day and the slots, what
 * is told of the day (which one, and the cost units it has used), and whether the day must be known, 1 or 0.
 *
 * A subject is one hash. Its field `state` is a head of six numbers and calls of the last minute: the day
 * counted (-1: none) and its use, when the first slot may end, and what log.lua.ts says. An entry reads it
 * and writes it once, together with its slot; the end of a call does not touch it.
 */
export const script = `
local W, DAY, TIDY = ${windowMs}, ${dayMs}, ${tidyMs}
local floor, max = math.floor, math.max
local sub, find, byte, format = string.sub, string.find, string.byte, string.format
local call, pack, unpack = redis.call, struct.pack, struct.unpack
local HEAD, HEAD_BYTES, COUNTS, COUNTS_BYTES = '<dddddd', 48, '<ddd', 24
local UNTOUCHED = pack(HEAD, -1, 0, 0, 0, 0, 0)
local ADMITTED, REFUSED = '<ddd', '<dddddd'

local server_now
local function server_clock()
  if not server_now then
    local time = call('TIME')
    server_now = time[1] * 1000 + floor(time[2] / 1000)
  end
  return server_now
end

local states = {}
local function with_counts(key, state, day, spent, ends)
  state = pack(COUNTS, day, spent, ends) .. sub(state, COUNTS_BYTES + 1)
  call('HSET', key, 'state', state)
  states[key] = state
  return state
end

local function prolong(key, day)
  call('PEXPIRE', key, day >= 0 and DAY + 2 * TIDY or 2 * TIDY)
end
${slots}
${log}
local function refuse_minute(key, state, cost, limit, now, before, used, reset)
  local function until_free(need)
    if need > used then return W end
    return freeing(key, state, before + need) + W - now
  end
  local remaining, stands = max(0, limit - used), 0
  if remaining == 0 and cost <= limit then stands = until_free(used + 1 - limit) end
  return pack(REFUSED, ${verdicts.minute}, remaining, reset, until_free(used + cost - limit), now, stands)
end

local function enter(key, slot, terms)
  local now, cost, per_minute, per_day, concurrent = terms[1], terms[2], terms[3], terms[4], terms[5]
  if now < 0 then now = server_clock() end
  local state = states[key] or call('HGET', key, 'state') or UNTOUCHED
  local day, spent, ends, front, first, next = unpack(HEAD, state)
  local counted_day, last, total = day, -math.huge, 0
  if #state > HEAD_BYTES then last, total = unpack(CALL, state, #state - CALL_BYTES + 1) end
  if last > now then now = last end

  local today = floor(now / DAY)
  if per_day >= 0 and terms[6] == today and (day ~= today or spent < terms[7]) then
    day, spent = today, terms[7]
    state = with_counts(key, state, day, spent, ends)
    prolong(key, day)
  end

  local used, reset, before, head, piece = 0, now, 0, nil, nil
  if last > now - W then
    local at, first_total, first_cost = unpack(CALL, state, HEAD_BYTES + 1)
    before = first_total - first_cost
    if at <= now - W then head, before, piece = head_of(key, state, now - W) end
    used, reset = total - before, last + W
  end
  if used + cost > per_minute then
    return refuse_minute(key, state, cost, per_minute, now, before, used, reset)
  end

  if per_day >= 0 then
    if day ~= today then
      if terms[8] == 1 then return pack(REFUSED, ${verdicts.unknown}, today, 0, 0, now, 0) end
    end
    local use = day == today and spent or 0
    if use + cost > per_day then
      local midnight = (today + 1) * DAY
      return pack(REFUSED, ${verdicts.day}, max(0, per_day - use), midnight, midnight - now, now, 0)
    end
  end

  local fields = state == UNTOUCHED and 0 or 1 + next - first
  local live, soonest, ended = call('HLEN', key) - fields, ends, nil
  if live >= concurrent and now >= ends then live, soonest, ended = count_slots(key, now) end
  if live >= concurrent then
    if soonest > ends and #ended == 0 then with_counts(key, state, day, spent, soonest) end
    return pack(REFUSED, ${verdicts.concurrent}, per_minute - used, reset, ${slotRetryMs}, now, 0)
  end

  if per_day >= 0 then day, spent = today, (day == today and spent or 0) + cost end
  if used == 0 then total = 0 end
  local counts, entry = pack(COUNTS, day, spent, soonest), pack(CALL, now, total + cost, cost)
  states[key] = append(key, state, counts, entry, head or used == 0, piece, slot, slot_end(now))
  if ended then free(key, ended, slot) end
  if day ~= counted_day or floor(last / TIDY) ~= floor(now / TIDY) then prolong(key, day) end
  return pack(ADMITTED, ${verdicts.admitted}, per_minute - used - cost, now)
end

local entries, lines, terms = tonumber(ARGV[1]), ARGV[2], {}
for nth = 3, #ARGV do
  local numbers = {}
  for number in string.gmatch(ARGV[nth], '%S+') do numbers[#numbers + 1] = tonumber(number) end
  terms[nth - 2] = numbers
end

local names, named, from = {}, {}, 1
for nth = 1, #KEYS do
  local stop = find(lines, '\\n', from, true)
  if nth <= entries then
    named[nth] = terms[byte(lines, from) - ${firstTermsByte - 1}]
    from = from + 1
  end
  names[nth] = sub(lines, from, stop - 1)
  from = stop + 1
end

for nth = entries + 1, #KEYS do redis.pcall('HDEL', KEYS[nth], names[nth]) end
local answers, failed = {}, pack(REFUSED, ${verdicts.failed}, 0, 0, 0, 0, 0)
for nth = 1, entries do
  local done, answer = pcall(enter, KEYS[nth], names[nth], named[nth])
  answers[nth] = done and answer or failed
end
return table.concat(answers)
`
