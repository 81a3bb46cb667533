import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { decodeBackup, encodeBackup, type Backup } from "./backup-file.ts";

const backup: Backup = {
  created: "2026-01-01T00:00:00Z",
  resourceVersion: "42",
  server: "v1.34.0",
  identity: "{}\n",
  entries: ["a", "b"].map((name) => ({
    plural: "things",
    namespaced: false,
    object: { apiVersion: "v1", kind: "Thing", metadata: { name, uid: name }, data: { text: "ä\n\u2028" } },
  })),
};

const changed = (change: (text: string) => string): Buffer =>
  gzipSync(change(gunzipSync(encodeBackup(backup)).toString()));

describe("backup files", () => {
  it("give back what was put in", () => expect(decodeBackup(encodeBackup(backup), "f")).toEqual(backup));

  it.each([
    ["a file that is cut off", encodeBackup(backup).subarray(0, -20), /f: the gzip data is incomplete/],
    ["another file", Buffer.from("hello"), /f: the gzip data is incomplete/],
    ["another gzip file", gzipSync("hello\n"), /f: it is not a backup of capstan/],
    ["an empty gzip file", gzipSync(""), /f: it is not a backup of capstan/],
    ["JSON of another program", gzipSync('{"a":1}\n{"sha256":""}\n'), /f: it is not a backup of capstan/],
    ["a line less", changed((text) => text.replace(/\n[^\n]+\n/, "\n")), /f: checksum mismatch/],
    ["no checksum", changed((text) => text.replace(/[^\n]+\n$/, "")), /f: checksum mismatch/],
    ["another letter", changed((text) => text.replace('"name":"b"', '"name":"c"')), /f: checksum mismatch/],
    [
      "a later format",
      changed((text) => text.replace('"version":1', '"version":2')),
      /format 2 is newer than this release reads/,
    ],
  ])("refuse %s", (_, bytes, message) => expect(() => decodeBackup(bytes, "f")).toThrow(message));
});
