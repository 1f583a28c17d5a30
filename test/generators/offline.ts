import { Socket } from "node:net"

/** Preloaded into a generator: rejects every connection, so that a network call cannot go unnoticed. */
Socket.prototype.connect = () => {
  console.error("attempted a network connection")
  process.exit(1)
}
