-- Sends requests of a file, each its own text, in random order; {fresh} becomes a text that no other request has.
local file = io.open(os.getenv("REQUESTS"), "rb")
local requests, sent, run = {}, 0, os.getenv("RUN")
for text in file:read("*a"):gmatch("[^\30]+") do requests[#requests + 1] = text end
file:close()
math.randomseed(os.time())

request = function()
  sent = sent + 1
  return (requests[math.random(#requests)]:gsub("{fresh}", run .. "-" .. sent))
end

done = function(summary, latency)
  local errors = summary.errors
  io.write(string.format("RESULT %d %d %d %d %d %d\n", summary.requests, summary.duration,
    latency:percentile(50), latency:percentile(99), errors.status, errors.connect + errors.read + errors.timeout))
end
