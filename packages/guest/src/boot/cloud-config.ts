import { CapstanError } from "@capstan/contract";
import { readYaml11Value } from "@capstan/kube-values/yaml";
import type { Disk } from "./disk.ts";
import { Inflater } from "./inflate.ts";

/** The modules of a cloud-config that the model executes, in cloud-init's order; others are named on the console and skipped. */
export interface CloudConfig {
  readonly bootcmd: readonly Command[];
  readonly writeFiles: readonly WriteFile[];
  readonly runcmd: readonly Command[];
  readonly users: readonly string[];
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

/**
 * What several cloud-configs say together, each joined to those before it: with `list(append)` its lists come after
 * theirs, otherwise its keys replace theirs, which is cloud-init's own way.
 */
export const mergeCloudConfigs = (
  configs: readonly { readonly config: CloudConfig; readonly merge?: string | undefined }[],
): CloudConfig => {
  const none: CloudConfig = { bootcmd: [], writeFiles: [], runcmd: [], users: [], ignored: [] };
  return configs.reduce((before, { config, merge }) => {
    const appends = merge?.includes("list(append)") ?? false;
    const join = <T>(earlier: readonly T[], later: readonly T[]): readonly T[] =>
      appends ? [...earlier, ...later] : later.length > 0 ? later : earlier;
    return {
      bootcmd: join(before.bootcmd, config.bootcmd),
      writeFiles: join(before.writeFiles, config.writeFiles),
      runcmd: join(before.runcmd, config.runcmd),
      users: join(before.users, config.users),
      ignored: [...new Set([...before.ignored, ...config.ignored])],
    };
  }, none);
};

/** Reads a cloud-config as YAML 1.1, which is what cloud-init's parser speaks. Throws `guest.cloud_config_invalid`. */
export const parseCloudConfig = (text: string): CloudConfig => {
  let document: unknown;
  try {
    document = readYaml11Value(text, { marks: largestMarks });
  } catch (error) {
    throw invalid(`the cloud-config is not valid YAML: ${(error as Error).message}`, error);
  }
  if (typeof document !== "object" || document === null || Array.isArray(document)) {
    throw invalid("the cloud-config is not a mapping");
  }
  const config = document as Readonly<Record<string, unknown>>;
  const inflater = new Inflater();
  const known = new Set(["bootcmd", "write_files", "runcmd", "users"]);
  return {
    bootcmd: commands(config["bootcmd"], "bootcmd"),
    writeFiles: list(config["write_files"], "write_files").map((entry, index) => writeFile(entry, index, inflater)),
    runcmd: commands(config["runcmd"], "runcmd"),
    users: list(config["users"], "users").map((user) =>
      typeof user === "string" ? user : String((user as { name?: unknown }).name),
    ),
    ignored: Object.keys(config).filter((key) => !known.has(key)),
  };
};

const list = (value: unknown, key: string): readonly unknown[] => {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw invalid(`${key} is not a list`);
  return value;
};

const commands = (value: unknown, key: string): readonly Command[] =>
  list(value, key).map((entry, index) => {
    if (typeof entry === "string") return entry;
    if (Array.isArray(entry)) return entry.map(String);
    throw invalid(`${key}[${index}] is neither a string nor a list`);
  });

const writeFile = (entry: unknown, index: number, inflater: Inflater): WriteFile => {
  const file = entry as Readonly<Record<string, unknown>>;
  if (typeof file["path"] !== "string") throw invalid(`write_files[${index}].path is missing`);
  const permissions = file["permissions"];
  return {
    path: file["path"],
    content: decode(file["content"], file["encoding"], index, inflater),
    owner: typeof file["owner"] === "string" ? file["owner"] : "root:root",
    // An unquoted 0640 is the octal number 416 to a YAML 1.1 parser: cloud-init prints it back as octal.
    permissions:
      typeof permissions === "number"
        ? permissions.toString(8).padStart(4, "0")
        : typeof permissions === "string"
          ? permissions
          : "0644",
    append: file["append"] === true,
  };
};

const unpacked = (bytes: Uint8Array, index: number, inflater: Inflater): Uint8Array => {
  try {
    return inflater.inflate(bytes);
  } catch (error) {
    throw invalid(`write_files[${index}].content cannot be unpacked: ${(error as Error).message}`, error);
  }
};

const decode = (content: unknown, encoding: unknown, index: number, inflater: Inflater): Uint8Array => {
  const text = content === undefined || content === null ? "" : String(content);
  switch (encoding) {
    case undefined:
    case "text/plain":
      return new TextEncoder().encode(text);
    case "b64":
    case "base64":
      return Buffer.from(text, "base64");
    case "gz":
    case "gzip":
      return unpacked(Buffer.from(text, "latin1"), index, inflater);
    case "gz+b64":
    case "gzip+base64":
    case "gz+base64":
    case "gzip+b64":
      return unpacked(Buffer.from(text, "base64"), index, inflater);
    default:
      throw invalid(`write_files[${index}].encoding is not known to cloud-init: ${String(encoding)}`);
  }
};

/**
 * Writes the files. As on a real machine this happens before users exist: a file owned by a user of the same document
 * stops the module there, and later files are never written. Throws `guest.write_files_failed`.
 */
export const writeFiles = (config: CloudConfig, disk: Disk): void => {
  for (const file of config.writeFiles) {
    const user = file.owner.split(":")[0] ?? "root";
    if (config.users.includes(user)) {
      throw new CapstanError({
        code: "guest.write_files_failed",
        reason: "WriteFilesFailed",
        message: `write_files stops at ${file.path}: its owner ${user} does not exist yet; this and later files are not written`,
        retry: { kind: "never" },
      });
    }
    if (file.append) disk.append(file.path, file.content);
    else disk.write(file.path, file.content, file);
  }
};
