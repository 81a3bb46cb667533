import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { readSnapshot } from "./snapshot-file.ts";

const withDigest = (database: Buffer): Buffer =>
  Buffer.concat([database, createHash("sha256").update(database).digest()]);

it.each([
  ["nothing", Buffer.alloc(0), /its checksum does not match/],
  ["text", Buffer.from("apiVersion: v1\n"), /its checksum does not match/],
  ["a database without its checksum", Buffer.alloc(8192), /its checksum does not match/],
  [
    "something else with a checksum",
    withDigest(Buffer.alloc(8192)),
    /no database of etcd, or damaged: it begins otherwise/,
  ],
])("refuses %s", (_, file, why) => {
  expect(() => readSnapshot(file)).toThrow(why);
});
