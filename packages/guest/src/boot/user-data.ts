import { CapstanError, type Clock } from "@capstan/contract";
import { readLongYaml } from "@capstan/evaluation/yaml";
import { fetchInclude } from "./fetch-include.ts";
import { flow } from "./flow.ts";
import { inflated } from "./inflate.ts";
import { renderJinja } from "./jinja/jinja.ts";
import { isMime, mimeParts } from "./mime.ts";
import { isCompressed, isSaidByText, typeOfBeginning } from "./part-type.ts";

/** One piece of user-data after unpacking, fetching and rendering. */
export type Part =
  /** `merge`: how it is joined with the parts before it; cloud-init's own way when it says nothing. */
  | { readonly type: "cloud-config"; readonly text: string; readonly merge?: string }
  /** `name`: of its file, by which scripts are run in their order. */
  | { readonly type: "script"; readonly text: string; readonly name?: string }
  /** Run before everything else. */
  | { readonly type: "boothook"; readonly text: string }
  /** For machines of Windows. */
  | { readonly type: "powershell"; readonly text: string }
  | { readonly type: "unknown"; readonly firstLine: string };

export interface ReadUserDataOptions {
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Told what happens, without secrets. */
  readonly log: (line: string) => void;
  /** Returns whether a URL is reached at all. Default: each is. */
  readonly reaches?: (url: string) => boolean;
  /** Include files in one another. */
  readonly depth?: number;
}

/** cloud-init follows one that includes itself forever. */
const deepestInclude = 5;

/** A part as it lies in the message. */
interface RawPart {
  readonly type: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

const failure = (code: string, reason: string, message: string, cause?: unknown): CapstanError =>
  new CapstanError({ code, reason, message, retry: { kind: "never" }, ...(cause !== undefined && { cause }) });

const invalid = (message: string, cause?: unknown): CapstanError =>
  failure("guest.userdata_invalid", "UserDataInvalid", message, cause);

/**
 * Takes user-data apart as cloud-init does at the network stage: gunzip, unfold multi-parts, follow `#include`, render
 * templates. A part that cannot be used is said and left out. What fails for the whole of it throws, and nothing of it is used.
 * Errors: `guest.include_failed`, `guest.userdata_invalid`.
 */
export const readUserData = async (bytes: Uint8Array, options: ReadUserDataOptions): Promise<readonly Part[]> => {
  const plain = await unpack(bytes);
  const raw = isMime(plain) ? mimeParts(decoded(plain, "the user-data is no UTF-8")) : undefined;
  if (raw === undefined) return readPart({ type: "text/x-not-multipart", headers: {}, body: plain }, options);
  const parts: Part[] = [];
  for (const { headers, body } of raw) {
    const type = (headers["content-type"] ?? "text/plain").split(";")[0]?.trim().toLowerCase() ?? "";
    const [, name] = /filename="?([^";/]+)/i.exec(headers["content-disposition"] ?? "") ?? [];
    for (const part of await readPart({ type, headers, body }, options)) {
      parts.push(part.type === "script" && name !== undefined ? { name, ...part } : part);
    }
  }
  return parts;
};

const isUtf8 = (bytes: Uint8Array): boolean => {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
};

const textOf = (bytes: Uint8Array): string => new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);

const decoded = (bytes: Uint8Array, problem: string): string => {
  if (!isUtf8(bytes)) throw invalid(problem);
  return textOf(bytes);
};

/** Returns the unpacked content if the bytes are gzip, otherwise the bytes unchanged. */
const unpack = async (bytes: Uint8Array): Promise<Uint8Array> => {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return await inflated(bytes);
  } catch (error) {
    if ((error as { readonly code?: string }).code !== "ERR_BUFFER_TOO_LARGE") return bytes;
    throw invalid(`the user-data unpacks to too much: ${(error as Error).message}`, error);
  }
};

const readPart = async (part: RawPart, options: ReadUserDataOptions): Promise<readonly Part[]> => {
  let { body, type } = part;
  if (isCompressed(type)) {
    try {
      body = await inflated(body);
    } catch (error) {
      throw invalid(
        `a part of the user-data looks like gzip but cannot be unpacked: ${(error as Error).message}`,
        error,
      );
    }
    type = "text/plain";
  }
  const text = textOf(body);
  if (isSaidByText(type)) type = typeOfBeginning(text) ?? type;
  if (type === "text/x-include-url" || type === "text/x-include-once-url") return readInclude(text, options);
  if (type === "text/cloud-config-archive") return readArchive(text, options);
  const usable = await usablePart({ ...part, type, body }, text, options);
  return usable === undefined ? [] : [usable];
};

const mergeOf = (headers: Readonly<Record<string, string>>): { readonly merge?: string } => {
  const merge = headers["merge-type"] ?? headers["x-merge-type"];
  return merge === undefined ? {} : { merge };
};

/** Returns the part that one of cloud-init's handlers takes, or logs why there is none and returns `undefined`. */
const usablePart = async (
  { type, headers, body }: RawPart,
  text: string,
  options: ReadUserDataOptions,
): Promise<Part | undefined> => {
  if (type === "text/jinja2") return rendered(text, headers, options);
  if (type === "text/cloud-config") {
    if (isUtf8(body)) return { type: "cloud-config", text, ...mergeOf(headers) };
    options.log("Failed loading yaml blob: it has characters that are not acceptable");
    return undefined;
  }
  if (type === "text/x-shellscript" || type === "text/cloud-boothook") {
    if (!isUtf8(body)) {
      options.log(`Failed calling handler of ${type}: the part is no UTF-8`);
      return undefined;
    }
    const plain = text.replaceAll("\r\n", "\n");
    if (type === "text/x-shellscript") return { type: "script", text: plain };
    return {
      type: "boothook",
      text: plain
        .trimStart()
        .replace(/^#cloud-boothook/, "")
        .trimStart(),
    };
  }
  const firstLine = text.split("\n", 1)[0]?.trimEnd() ?? "";
  if (/^#ps1(?:_sysnative|_x86)?$/.test(firstLine)) return { type: "powershell", text };
  if (text === "") return undefined;
  return { type: "unknown", firstLine: firstLine.slice(0, 80) };
};

/** A template that cannot be rendered is left out, as one that renders to neither a cloud-config nor a script. */
const rendered = async (
  text: string,
  headers: Readonly<Record<string, string>>,
  { log, metadata }: ReadUserDataOptions,
): Promise<Part | undefined> => {
  try {
    const result = await renderJinja(text, metadata);
    const type = typeOfBeginning(result);
    if (type === "text/cloud-config") return { type: "cloud-config", text: result, ...mergeOf(headers) };
    if (type === "text/x-shellscript") return { type: "script", text: result.replaceAll("\r\n", "\n") };
    log(`Ignoring jinja template: could not find supported sub-handler for type ${type ?? "None"}`);
  } catch (error) {
    log(`Ignoring jinja template: ${(error as Error).message}`);
  }
  return undefined;
};

const readInclude = async (text: string, options: ReadUserDataOptions): Promise<readonly Part[]> => {
  const { depth = 0, log } = options;
  if (depth >= deepestInclude) {
    const message = `include files are nested more than ${deepestInclude} deep`;
    throw failure("guest.include_failed", "IncludeFailed", message);
  }
  const urls = text
    .split(/\r\n|\r|\n/)
    .map((line) => line.replace(/^#include(?:-once)?/i, "").trim())
    .filter((line) => line !== "" && !line.startsWith("#"));
  const parts: Part[] = [];
  for (const [index, url] of urls.entries()) {
    log(`fetching include ${index + 1} of ${urls.length}`);
    const fetched = await fetchInclude(url, {
      ...options,
      onRetry: (reason) => log(`include ${index + 1}: ${reason}, trying again`),
    });
    log(`include ${index + 1}: ${fetched.length} bytes`);
    parts.push(...(await readUserData(fetched, { ...options, depth: depth + 1 })));
  }
  return parts;
};

/** Lines and separators of the largest archive. */
const largestMarks = 200_000;

/** A list of parts, each a text or a mapping of its content and type. */
const readArchive = async (text: string, options: ReadUserDataOptions): Promise<readonly Part[]> => {
  let entries: unknown;
  try {
    [{ value: entries } = { value: undefined }] = await readLongYaml(text, {
      marks: largestMarks,
      version: "1.1",
      flow,
    });
  } catch (error) {
    options.log(`Failed loading yaml blob. ${(error as Error).message}`);
  }
  const parts: Part[] = [];
  for (const entry of Array.isArray(entries) ? entries : []) {
    const { content, type } = (typeof entry === "string" ? { content: entry } : (entry ?? {})) as Record<
      string,
      unknown
    >;
    const body = typeof content === "string" ? content : "";
    const given = typeof type === "string" ? type : (typeOfBeginning(body) ?? "text/cloud-config");
    const part = await usablePart({ type: given, headers: {}, body: Buffer.from(body) }, body, options);
    if (part !== undefined) parts.push(part);
  }
  return parts;
};
