import type { Group } from "../Fault.ts"
import { inFile } from "../Fault.ts"

/** Certified releases: what is exported, its hashes and its signature. */
export const releases: Group = {
  tests: [
    "test/core/release.test.ts",
    "test/core/releaseMerkle.test.ts",
    "test/core/releaseVerify.test.ts",
    "test/adapters/verifySignature.test.ts",
    "test/adapters/signing.test.ts",
    "test/adapters/certifying.test.ts"
  ],
  faults: [
    ...inFile("core/release/verify.ts", [
      [
        "verifies a record that was changed",
        'if (stated !== sha256) return broken(at, "the record is not what its hash says")',
        ""
      ],
      [
        "verifies a record under another's id",
        'if (id !== `dec_${sha256}`) return broken(at, "the decision id is not that of its record")',
        ""
      ],
      [
        "verifies a record that stands twice",
        "if (sha256 <= last) return broken",
        "if (sha256 < last) return broken"
      ],
      ["verifies a release that lacks its last record", "if (tree.size < count)", "if (tree.size < 0)"],
      ["verifies a release with a record more", "if (tree.size > count)", "if (tree.size > count + 1)"],
      [
        "verifies whatever root a release states",
        "return Hex.encode(rootOf(hash.bytes, tree)) === root",
        'return root !== ""'
      ],
      [
        "verifies a manifest under another's id",
        "if (releaseIdOf(hash.text, manifest) !== header.release_id)",
        'if (header.release_id === "")'
      ],
      [
        "verifies sources that the manifest does not hash",
        "if (sourceSetSha256(hash.text, manifest.sources) !== manifest.source_set_sha256)",
        'if (manifest.source_set_sha256 === "")'
      ],
      [
        "verifies what was written in another way",
        "({ isOurs, value }) => (isOurs ?",
        "({ isOurs, value }) => (isOurs !== undefined ?"
      ]
    ]),
    ...inFile("core/release/merkle.ts", [
      [
        "proves an entry that is not there",
        "if (!(index >= 0 && index < entries.length)) return undefined",
        "if (!(index >= 0)) return undefined"
      ],
      ["proves by a path that is too short", "return last === 0 ? node : undefined", "return node"]
    ]),
    ...inFile("core/release/manifest.ts", [
      [
        "names the sources of a release in the order they came",
        "content.sources.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))",
        "content.sources"
      ]
    ]),
    ...inFile("adapters/jose/verifySignature.ts", [
      [
        "trusts whoever signed",
        "trusted === undefined || trusted.some(({ x }) => x === header.public_key.x)",
        "true"
      ],
      ["takes a signature in another writing", " || !isOneWriting(signature)", ""],
      [
        "takes a signature over another payload",
        'if (payload !== "" || stated !== expected',
        "if (stated !== expected"
      ]
    ])
  ]
}
