import { dayMs } from "../../core/limit/quota.ts"
import { leaseMs, slotRetryMs } from "../../core/limit/slots.ts"
import { windowMs } from "../../core/limit/window.ts"
import { callsPerChunk, failureWords, firstTermsByte, slotMark, tidyMs, verdicts } from "./limitsFormat.ts"

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
 * A subject is one hash. An entry reads its field `state` and writes it once, together with its slot; the
 * end of a call does not touch it. It is a head of six numbers and calls of the last minute. The head
 * says the day counted (-1: none) and its use, when the first slot may end, the bytes of the oldest
 * calls, the number of the first chunk and that of the next to come. Of each call there is the instant,
 * the running total after it, and its cost, so that what was used is the end less the beginning and a log
 * of a thousand calls is never read through. The oldest and the newest end the state, one after the
 * other; chunks between them are fields named by their number.
 *
 * Each call in flight is a field too, which says when its lease ends, so that one command takes a slot
 * together with all else, one gives it back, and their number is that of the fields. A lease that ran out
 * is counted too until the limit is reached; only then are the slots read through, and not again before
 * the first may end.
 */
export const script = `
local W, DAY, TIDY, LEASE = ${windowMs}, ${dayMs}, ${tidyMs}, ${leaseMs}
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

local CALL, CALL_BYTES, CHUNK_BYTES = '<ddI', 20, ${20 * callsPerChunk}
local AT, TOTAL = 0, 8

local function seek(calls, start, stop, field, bound)
  if start >= stop or unpack('<d', calls, stop - CALL_BYTES + field) <= bound then return nil end
  local low, high, step = 0, 0, 1
  local last = (stop - start) / CALL_BYTES - 1
  while high < last and unpack('<d', calls, start + high * CALL_BYTES + field) <= bound do
    low, high, step = high + 1, high + step, step * 2
  end
  if high > last then high = last end
  while low < high do
    local middle = floor((low + high) / 2)
    local beyond = unpack('<d', calls, start + middle * CALL_BYTES + field) > bound
    if beyond then high = middle else low = middle + 1 end
  end
  return start + low * CALL_BYTES
end

local function first_beyond(key, state, field, bound)
  local front, low, next = unpack('<ddd', state, COUNTS_BYTES + 1)
  local back = HEAD_BYTES + 1 + front
  local position = seek(state, HEAD_BYTES + 1, back, field, bound)
  if position then return position, state end
  local chunk, high = nil, next
  while low < high do
    local middle = floor((low + high) / 2)
    local calls = call('HGET', key, middle)
    local within = calls and seek(calls, 1, #calls + 1, field, bound)
    if within then high, position, chunk = middle, within, calls else low = middle + 1 end
  end
  if chunk then return position, chunk, low end
  return seek(state, back, #state + 1, field, bound), state
end

local function head_of(key, state, bound)
  local position, calls, piece = first_beyond(key, state, AT, bound)
  local _, total, cost = unpack(CALL, calls, position)
  return piece and sub(calls, position) or position, total - cost, piece
end

local function freeing(key, state, total)
  local position, calls = first_beyond(key, state, TOTAL, total - 1)
  return (unpack('<d', calls, position))
end

local function append(key, state, counts, entry, head, piece, slot, slot_ends)
  local front, first, next = unpack('<ddd', state, COUNTS_BYTES + 1)
  if not head and #state - HEAD_BYTES - front < CHUNK_BYTES then
    state = counts .. sub(state, COUNTS_BYTES + 1) .. entry
    call('HSET', key, 'state', state, slot, slot_ends)
    return state
  end
  local back, oldest, calls, spilled = HEAD_BYTES + 1 + front, first, nil, nil
  if not head then
    calls = sub(state, HEAD_BYTES + 1)
  elseif head == true then
    calls, front, first = '', 0, next
  elseif piece then
    calls, front, first = head .. sub(state, back), #head, piece + 1
  elseif head < back then
    calls, front = sub(state, head), back - head
  else
    calls, front, first = sub(state, head), 0, next
  end
  if #calls - front >= CHUNK_BYTES then
    if front == 0 then
      front = #calls
    else
      calls, spilled, next = sub(calls, 1, front), sub(calls, front + 1), next + 1
    end
  end
  state = counts .. pack('<ddd', front, first, next) .. calls .. entry
  if spilled then
    call('HSET', key, 'state', state, slot, slot_ends, next - 1, spilled)
  else
    call('HSET', key, 'state', state, slot, slot_ends)
  end
  for number = oldest, first - 1 do call('HDEL', key, number) end
  return state
end

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
local REASONS = {${failureWords.map((word) => `'${word}'`).join(",")}}
local function failed(problem)
  local text, reason = type(problem) == 'table' and problem.err or tostring(problem), 0
  for nth, word in ipairs(REASONS) do
    if find(text, word, 1, true) then reason = nth end
  end
  return pack(REFUSED, ${verdicts.failed}, reason, 0, 0, 0, 0)
end

local answers = {}
for nth = 1, entries do
  local done, answer = pcall(enter, KEYS[nth], names[nth], named[nth])
  answers[nth] = done and answer or failed(answer)
end
return table.concat(answers)
`
