import { CapstanError, type Clock } from "@capstan/contract";
import { fetchInclude } from "./fetch-include.ts";
import { inflated } from "./inflate.ts";
import { hasJinjaHeader, renderJinja } from "./jinja/jinja.ts";
import { isMime, mimeParts } from "./mime.ts";

/** One piece of user-data after unpacking, fetching and rendering. */
export type Part =
  /** `merge`: how it is joined with the parts before it; cloud-init's own way when it says nothing. */
  | { readonly type: "cloud-config"; readonly text: string; readonly merge?: string }
  | { readonly type: "script"; readonly text: string }
  /** For machines of Windows. */
  | { readonly type: "powershell"; readonly text: string }
  | { readonly type: "unknown"; readonly firstLine: string };

export interface ReadUserDataOptions {
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Told what happens, without secrets. */
  readonly log: (line: string) => void;
  /** Include files in one another. */
  readonly depth?: number;
}

/** cloud-init follows one that includes itself for ever. */
const deepestInclude = 5;

/**
 * Takes user-data apart as cloud-init does at the network stage: gunzip, unfold multi-parts, follow `#include`, render
 * templates.
 * Errors: `guest.include_failed`, `guest.jinja_invalid`, `guest.userdata_invalid`.
 */
export const readUserData = async (bytes: Uint8Array, options: ReadUserDataOptions): Promise<readonly Part[]> => {
  const plain = await unpack(bytes);
  return readText(new TextDecoder("utf-8").decode(plain), options);
};

const readText = async (text: string, options: ReadUserDataOptions): Promise<readonly Part[]> => {
  if (isMime(text)) return readMime(text, options);
  const firstLine = text.split("\n", 1)[0]?.trimEnd() ?? "";
  if (/^#include(-once)?\b/.test(firstLine)) return readInclude(text, options);
  if (hasJinjaHeader(text)) return [classify(renderJinja(text, options.metadata))];
  return [classify(text)];
};

const readMime = async (text: string, options: ReadUserDataOptions): Promise<readonly Part[]> => {
  const parts: Part[] = [];
  for (const { headers, body } of mimeParts(text)) {
    const merge = headers["merge-type"] ?? headers["x-merge-type"];
    for (const part of await readText(body, options)) {
      parts.push(part.type === "cloud-config" && merge !== undefined ? { merge, ...part } : part);
    }
  }
  return parts;
};

const readInclude = async (text: string, options: ReadUserDataOptions): Promise<readonly Part[]> => {
  const { depth = 0 } = options;
  if (depth >= deepestInclude) {
    throw new CapstanError({
      code: "guest.include_failed",
      reason: "IncludeFailed",
      message: `include files are nested more than ${deepestInclude} deep`,
      retry: { kind: "never" },
    });
  }
  const urls = text
    .split("\n")
    .map((line) => line.replace(/^#include(-once)?/, "").trim())
    .filter((line) => line !== "" && !line.startsWith("#"));
  const parts: Part[] = [];
  for (const [index, url] of urls.entries()) {
    options.log(`fetching include ${index + 1} of ${urls.length}`);
    const fetched = await fetchInclude(url, {
      ...options,
      onRetry: (reason) => options.log(`include ${index + 1}: ${reason}, trying again`),
    });
    options.log(`include ${index + 1}: ${fetched.length} bytes`);
    parts.push(...(await readUserData(fetched, { ...options, depth: depth + 1 })));
  }
  return parts;
};

const unpack = async (bytes: Uint8Array): Promise<Uint8Array> => {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return await inflated(bytes);
  } catch (error) {
    throw new CapstanError({
      code: "guest.userdata_invalid",
      reason: "UserDataInvalid",
      message: `the user-data looks like gzip but cannot be unpacked: ${(error as Error).message}`,
      retry: { kind: "never" },
      cause: error,
    });
  }
};

const classify = (text: string): Part => {
  const firstLine = text.split("\n", 1)[0]?.trimEnd() ?? "";
  if (/^#cloud-config\b/.test(firstLine)) return { type: "cloud-config", text };
  if (firstLine.startsWith("#!")) return { type: "script", text };
  if (/^#ps1(?:_sysnative|_x86)?$/.test(firstLine)) return { type: "powershell", text };
  return { type: "unknown", firstLine: firstLine.slice(0, 80) };
};
