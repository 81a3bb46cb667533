import { createHash } from "node:crypto";
import { gunzipSync, gzipSync } from "node:zlib";
import { CapstanError } from "@capstan/contract";
import type { KubeObject } from "@capstan/schema";

/** One object of a backup and where it lives in an API. */
export interface BackupEntry {
  readonly plural: string;
  readonly namespaced: boolean;
  readonly object: KubeObject;
}

/** Everything a management API held at one moment. */
export interface Backup {
  /** RFC 3339. */
  readonly created: string;
  /** The moment, as the server counts. */
  readonly resourceVersion: string;
  /** `gitVersion` of the server. */
  readonly server: string;
  /** Certificate authority and token keys of a `capstan` server, as the JSON text it keeps them in. */
  readonly identity?: string;
  readonly entries: readonly BackupEntry[];
}

const format = "capstan-backup";
const newest = 1;

const damaged = (path: string, why: string, cause?: unknown): CapstanError =>
  new CapstanError({
    code: "backup.damaged",
    reason: "BackupDamaged",
    message: `${path}: ${why}; use another backup`,
    retry: { kind: "never" },
    ...(cause === undefined ? {} : { cause }),
  });

const digest = (text: string): string => createHash("sha256").update(text).digest("hex");

/** Gzip of JSON lines: a header, one line for each object, and a line with the SHA-256 of all lines before it. */
export const encodeBackup = ({ entries, ...facts }: Backup): Buffer => {
  const header = { format, version: newest, ...facts, objects: entries.length };
  const lines = [header, ...entries].map((line) => `${JSON.stringify(line)}\n`).join("");
  return gzipSync(`${lines}${JSON.stringify({ sha256: digest(lines) })}\n`);
};

/**
 * Reads a backup; `path` is for messages. Throws `backup.damaged` for anything that is not exactly what was written, and
 * `backup.newer` for a format of a later release.
 */
export const decodeBackup = (bytes: Uint8Array, path: string): Backup => {
  const text = unpacked(bytes, path);
  const end = text.lastIndexOf("\n", text.length - 2) + 1;
  const lines = text.slice(0, end);
  const header = record(text.slice(0, text.indexOf("\n")), path);
  if (header["format"] !== format) throw damaged(path, "it is not a backup of capstan");
  if (typeof header["version"] !== "number" || header["version"] > newest) {
    throw new CapstanError({
      code: "backup.newer",
      reason: "BackupNewer",
      message: `${path}: backup format ${String(header["version"])} is newer than this release reads (${newest}); use the release that wrote it, or a later one`,
      retry: { kind: "never" },
    });
  }
  if (record(text.slice(end), path)["sha256"] !== digest(lines)) {
    throw damaged(path, "checksum mismatch: the file is truncated or was changed");
  }
  const [, ...entries] = lines.trimEnd().split("\n");
  const { created, resourceVersion, server, identity, objects } = header as unknown as Backup & {
    readonly objects: number;
  };
  if (objects !== entries.length) throw damaged(path, `expected ${objects} objects, found ${entries.length}`);
  return {
    created,
    resourceVersion,
    server,
    ...(identity === undefined ? {} : { identity }),
    entries: entries.map((line) => JSON.parse(line) as BackupEntry),
  };
};

const unpacked = (bytes: Uint8Array, path: string): string => {
  try {
    return gunzipSync(bytes).toString("utf8");
  } catch (error) {
    throw damaged(path, "the gzip data is incomplete", error);
  }
};

const record = (line: string, path: string): Readonly<Record<string, unknown>> => {
  try {
    return (JSON.parse(line) as Readonly<Record<string, unknown>> | null) ?? {};
  } catch (error) {
    throw damaged(path, "it is not a backup of capstan, or its end is missing", error);
  }
};
