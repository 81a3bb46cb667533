import type { Disk } from "../boot/disk.ts";

/** A repository that the system is told of. */
export interface AptSource {
  readonly url: string;
  readonly suite: string;
  /** The file with the key that it is signed with. */
  readonly signedBy?: string;
  readonly isTrusted: boolean;
}

/** Throws with apt's own words for what it cannot read. */
export const readSources = (disk: Disk): readonly AptSource[] =>
  disk.paths().flatMap((path) => {
    const text = disk.text(path) ?? "";
    if (path === "/etc/apt/sources.list" || /^\/etc\/apt\/sources\.list\.d\/[^/]+\.list$/.test(path)) {
      return readList(path, text);
    }
    return /^\/etc\/apt\/sources\.list\.d\/[^/]+\.sources$/.test(path) ? readStanzas(text) : [];
  });

const readList = (path: string, text: string): readonly AptSource[] =>
  text.split("\n").flatMap((line, index) => {
    if (/^\s*(?:#|$)/.test(line)) return [];
    const [, kind, options = "", rest = ""] = /^\s*(deb|deb-src)\s+(?:\[([^\]]*)\]\s*)?(.*)$/.exec(line) ?? [];
    const [url = "", suite = "", component] = rest.trim().split(/\s+/);
    const problem =
      kind === undefined
        ? "Type"
        : !/^[a-z]+:\/\//.test(url)
          ? "URI"
          : suite === ""
            ? "Suite"
            : !suite.endsWith("/") && component === undefined
              ? "Component"
              : "";
    if (problem !== "") {
      throw new Error(
        `E: Malformed entry ${index + 1} in list file ${path} (${problem})\nE: The list of sources could not be read.`,
      );
    }
    if (kind === "deb-src") return [];
    const [, signedBy] = /signed-by=(\S+)/i.exec(options) ?? [];
    return [{ url, suite, ...(signedBy !== undefined && { signedBy }), isTrusted: /trusted=yes/i.test(options) }];
  });

const readStanzas = (text: string): readonly AptSource[] =>
  text.split(/\n\s*\n/).flatMap((stanza) => {
    const fields = new Map(
      stanza.split("\n").flatMap((line) => {
        const [, name, value] = /^([\w-]+):\s*(.*)$/.exec(line) ?? [];
        return name === undefined ? [] : [[name.toLowerCase(), value ?? ""] as const];
      }),
    );
    const signedBy = fields.get("signed-by");
    return (fields.get("uris") ?? "")
      .split(/\s+/)
      .filter((url) => url !== "")
      .map((url) => ({
        url,
        suite: fields.get("suites") ?? "",
        ...(signedBy !== undefined && signedBy !== "" && { signedBy }),
        isTrusted: fields.get("trusted") === "yes",
      }));
  });
