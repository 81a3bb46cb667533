import { CapstanError } from "@capstan/contract";
import { readLongYaml } from "@capstan/evaluation/yaml";
import { groupOf, userOf } from "./accounts.ts";
import type { Disk } from "./disk.ts";
import { flow } from "./flow.ts";
import { Inflater } from "./inflate.ts";

/** The modules of a cloud-config that the model executes, in cloud-init's order; others are named on the console and skipped. */
export interface CloudConfig {
  readonly bootcmd: readonly Command[];
  /** Those before the first entry that cannot be read. */
  readonly writeFiles: readonly WriteFile[];
  readonly runcmd: readonly Command[];
  readonly users: readonly string[];
  /** Modules that fail, each in one line; they have no effect, or for write_files none from then on. */
  readonly failures: readonly string[];
  /** Top-level keys that have no effect on the model. */
  readonly ignored: readonly string[];
}

/** A shell line, or a program with its arguments. */
export type Command = string | readonly string[];

export interface WriteFile {
  readonly path: string;
  readonly content: Uint8Array;
  readonly owner: string;
  readonly permissions: string;
  readonly append: boolean;
  /** Not before there are users, and packages are installed. */
  readonly isDeferred: boolean;
}

/** Lines and separators of the largest cloud-config that is read. */
const largestMarks = 200_000;

const invalid = (message: string, cause?: unknown): CapstanError =>
  new CapstanError({
    code: "guest.cloud_config_invalid",
    reason: "CloudConfigInvalid",
    message,
    retry: { kind: "never" },
    cause,
  });

type Document = Readonly<Record<string, unknown>>;

/** Characters that cloud-init's YAML reader does not accept anywhere in a text. */
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const unacceptable = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u0084\u0086-\u009F\uFFFE\uFFFF]/;

/** Reads YAML 1.1, which is what cloud-init's parser speaks. Throws `guest.cloud_config_invalid`. */
const readDocument = async (text: string): Promise<Document> => {
  let document: unknown;
  try {
    if (unacceptable.test(text)) throw new Error("special characters are not allowed");
    [{ value: document } = { value: undefined }] = await readLongYaml(text, {
      marks: largestMarks,
      version: "1.1",
      flow,
    });
  } catch (error) {
    throw invalid(`the cloud-config is not valid YAML: ${(error as Error).message}`, error);
  }
  if (typeof document !== "object" || document === null || Array.isArray(document)) {
    throw invalid("the cloud-config is not a mapping");
  }
  return document as Document;
};

/** Joins a document to those before it: with `list(append)` its lists come after theirs, otherwise its keys replace theirs. */
const joined = (before: Document, next: Document, merge: string | undefined): Document => {
  const appends = merge?.includes("list(append)") ?? false;
  const keeps = merge?.includes("no_replace") ?? false;
  const both = Object.entries(next).map(([key, value]) => {
    const earlier = before[key];
    if (appends && Array.isArray(earlier) && Array.isArray(value)) return [key, [...earlier, ...value]] as const;
    return [key, keeps && earlier !== undefined ? earlier : value] as const;
  });
  return { ...before, ...Object.fromEntries(both) };
};

/**
 * Reads several cloud-configs as one, each joined to those before it. One that cannot be read is logged and left out, as in cloud-init.
 */
export const readCloudConfigs = async (
  texts: readonly { readonly text: string; readonly merge?: string | undefined }[],
  log: (line: string) => void,
): Promise<CloudConfig> => {
  let document: Document = {};
  for (const { text, merge } of texts) {
    try {
      document = joined(document, await readDocument(text), merge);
    } catch (error) {
      log(`Failed at merging in cloud config part: ${(error as Error).message}`);
    }
  }
  return configOf(document);
};

/** Reads one cloud-config. Throws `guest.cloud_config_invalid`. */
export const parseCloudConfig = async (text: string): Promise<CloudConfig> => configOf(await readDocument(text));

/** A module of a document; what it fails for is added to `failures`, and `fallback` is what it does then. */
const configOf = (config: Document): CloudConfig => {
  const failures: string[] = [];
  const known = new Set(["bootcmd", "write_files", "runcmd", "users"]);
  const commandsOf = (key: string): readonly Command[] => {
    if (!(key in config)) return [];
    try {
      return commands(config[key], key);
    } catch (error) {
      failures.push((error as Error).message);
      return [];
    }
  };
  return {
    bootcmd: commandsOf("bootcmd"),
    writeFiles: "write_files" in config ? filesOf(config["write_files"], failures) : [],
    runcmd: commandsOf("runcmd"),
    users: Array.isArray(config["users"])
      ? config["users"].map((user) =>
          typeof user === "string" ? user : String((user as { name?: unknown } | null)?.name),
        )
      : [],
    failures,
    ignored: Object.keys(config).filter((key) => !known.has(key)),
  };
};

const list = (value: unknown, key: string): readonly unknown[] => {
  if (!Array.isArray(value)) throw invalid(`${key} is not a list`);
  return value;
};

const commands = (value: unknown, key: string): readonly Command[] =>
  list(value, key)
    .filter((entry) => entry !== null)
    .map((entry, index) => {
      if (typeof entry === "string") return entry;
      if (Array.isArray(entry)) return entry.map(pythonText);
      throw invalid(`${key}[${index}] is neither a string nor a list`);
    });

/** A value as Python prints it. */
const pythonText = (value: unknown): string => {
  if (typeof value === "boolean") return value ? "True" : "False";
  return value === null || value === undefined ? "None" : String(value);
};

/** The files up to the first entry that the module fails for. */
const filesOf = (value: unknown, failures: string[]): readonly WriteFile[] => {
  const inflater = new Inflater();
  const files: WriteFile[] = [];
  try {
    for (const [index, entry] of list(value, "write_files").entries()) {
      if (typeof entry !== "object" || entry === null || Array.isArray(entry)) {
        throw invalid(`write_files[${index}] is not a mapping`);
      }
      const file = writeFile(entry as Document, index, inflater);
      if (file === undefined) failures.push(`write_files[${index}] has no path and is left out`);
      else files.push(file);
    }
  } catch (error) {
    failures.push(`${(error as Error).message}; this and later files are not written`);
  }
  return files;
};

/** `undefined`: it has no path. */
const writeFile = (file: Document, index: number, inflater: Inflater): WriteFile | undefined => {
  const path = file["path"];
  if (typeof path !== "string" || path === "") return undefined;
  const content = file["content"] ?? ("content" in file ? null : "");
  if (typeof content !== "string") throw invalid(`write_files[${index}].content is no text`);
  return {
    path,
    content: decode(content, file["encoding"], index, inflater),
    owner: ownerOf(file["owner"]),
    permissions: permissionsOf(file["permissions"]),
    append: isTrue(file["append"]),
    isDeferred: isTrue(file["defer"]),
  };
};

/** As cloud-init takes a text or a number for yes. */
const isTrue = (value: unknown): boolean => /^(?:true|1|on|yes)$/i.test(String(value).trim());

/** `user:group`; either may be left out, and is then root. */
const ownerOf = (value: unknown): string => {
  const [user = "", group = ""] = typeof value === "string" ? value.split(":", 2).map((part) => part.trim()) : [];
  const named = (part: string): string =>
    part === "" || part === "-1" || part.toLowerCase() === "none" ? "root" : part;
  return `${named(user)}:${named(group)}`;
};

/** An unquoted 0640 is the octal number 416 to a YAML 1.1 parser; what cannot be read as octal is the usual 0644. */
const permissionsOf = (value: unknown): string => {
  const text = typeof value === "number" || typeof value === "boolean" ? Number(value).toString(8) : String(value);
  return /^(?:0o?)?[0-7]+$/.test(text) ? text.replace(/^0o?/, "").padStart(4, "0") : "0644";
};

const unpacked = (bytes: Uint8Array, index: number, inflater: Inflater): Uint8Array => {
  try {
    return inflater.inflate(bytes);
  } catch (error) {
    throw invalid(`write_files[${index}].content cannot be unpacked: ${(error as Error).message}`, error);
  }
};

/** As Python decodes it: other characters are passed over, and it must end with a whole group. */
const fromBase64 = (text: string, index: number): Uint8Array => {
  const kept = text.replaceAll(/[^A-Za-z0-9+/=]/g, "");
  const letters = kept.replace(/=.*$/s, "");
  const padding = kept.length - letters.length;
  if (letters.length % 4 === 1 || (letters.length % 4 !== 0 && padding < 4 - (letters.length % 4))) {
    throw invalid(`write_files[${index}].content is no base64: incorrect padding`);
  }
  return Buffer.from(letters, "base64");
};

const decode = (text: string, encoding: unknown, index: number, inflater: Inflater): Uint8Array => {
  const name = typeof encoding === "string" ? encoding.toLowerCase().trim() : "";
  const isGzip = /^gz(?:ip)?(?:\+b(?:ase)?64)?$/.test(name);
  const bytes = /^(?:gz(?:ip)?\+)?b(?:ase)?64$/.test(name)
    ? fromBase64(text, index)
    : isGzip
      ? Buffer.from(text, "latin1")
      : new TextEncoder().encode(text);
  return isGzip ? unpacked(bytes, index, inflater) : bytes;
};

/**
 * Writes the files, or those that are deferred. As on a real machine the former happens before users exist: a file owned by a user of the
 * same document stops the module there, and later files are never written. Throws `guest.write_files_failed`.
 */
export const writeFiles = (config: CloudConfig, disk: Disk, { deferred = false } = {}): void => {
  for (const file of config.writeFiles) {
    if (file.isDeferred !== deferred) continue;
    const [user = "root", group = "root"] = file.owner.split(":");
    const hasUser = userOf(user, disk) !== undefined;
    const isOwned = hasUser && groupOf(group, disk) !== undefined;
    if (file.append) disk.append(file.path, file.content);
    else disk.write(file.path, file.content, { ...file, owner: isOwned ? file.owner : "root:root" });
    if (isOwned) continue;
    throw new CapstanError({
      code: "guest.write_files_failed",
      reason: "WriteFilesFailed",
      message: `write_files stops at ${file.path}: its ${hasUser ? `group ${group}` : `owner ${user}`} does not exist yet; later files are not written`,
      retry: { kind: "never" },
    });
  }
};
