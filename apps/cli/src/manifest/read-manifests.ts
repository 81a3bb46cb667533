import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { ManifestObject } from "@capstan/apiserver";
import { CapstanError, type ProxyFor } from "@capstan/contract";
import { readYaml, type YamlDocument, YamlError } from "@capstan/kube-values/yaml";
import type { KubeObject } from "@capstan/schema";
import { whyUnreadable } from "../file-words.ts";
import { substituteVariables, type Variables } from "./variables.ts";

const invalid = (message: string, cause?: unknown): CapstanError =>
  new CapstanError({ code: "manifest.invalid", reason: "ManifestInvalid", message, retry: { kind: "never" }, cause });

const standardInput = "standard input";

/** A file with what it declares. */
export interface ManifestFile {
  /** Its path or URL, or `standard input`. */
  readonly source: string;
  readonly objects: readonly ManifestObject[];
}

/**
 * Reads files, folders (their `.yaml`, `.yml` and `.json` files by name), URLs and standard input (`-`). Throws `manifest.invalid` or
 * `manifest.variable_missing` with file and line.
 */
export const readManifestFiles = async (
  paths: readonly string[],
  variables: Variables,
  outside: { readonly proxyFor?: ProxyFor | undefined; readonly signal?: AbortSignal } = {},
): Promise<readonly ManifestFile[]> => {
  const files: ManifestFile[] = [];
  for (const path of paths) {
    const texts = isUrl(path) ? [await fetched(path, outside)] : textsOf(path);
    const parsed = texts.map(({ text, source }) => ({ source, objects: parseManifest(text, source, variables) }));
    if (parsed.every(({ objects }) => objects.length === 0)) throw invalid(`-f ${path}: declares no object`);
    files.push(...parsed);
  }
  return files;
};

interface ManifestText {
  readonly text: string;
  readonly source: string;
}

/** Whether a name of a file is that of one elsewhere. */
export const isUrl = (path: string): boolean => /^https?:\/\//i.test(path);

/** Whether a path, or the source of a file, is on no file system. */
export const isElsewhere = (place: string): boolean => place === "-" || place === standardInput || isUrl(place);

const fetched = async (url: string, outside: Parameters<typeof readManifestFiles>[2]): Promise<ManifestText> => {
  try {
    // Its HTTP client is loaded only by those who need it.
    const { fetchText } = await import("./fetch-text.ts");
    return { text: await fetchText(url, outside), source: url };
  } catch (error) {
    outside?.signal?.throwIfAborted();
    throw invalid(`-f ${url}: ${(error as Error).message}`, error);
  }
};

/** Throws `manifest.invalid` for a file or folder that is not there, without reading any: what feeds a pipe is read once. */
export const checkManifestPaths = (paths: readonly string[]): void => {
  for (const path of paths) {
    if (path.trim() === "") throw invalid("-f: must name a file, a folder or a URL, and is empty");
    try {
      if (path !== "-" && !isUrl(path)) statSync(path);
    } catch (error) {
      throw unreadable(path, error);
    }
  }
};

const textsOf = (path: string): readonly ManifestText[] => {
  try {
    if (path === "-") return [{ text: readFileSync(0, "utf8"), source: standardInput }];
    if (!statSync(path).isDirectory()) return [{ text: readFileSync(path, "utf8"), source: path }];
  } catch (error) {
    throw unreadable(path, error);
  }
  const files = manifestFiles(path);
  if (files.length === 0) throw invalid(`-f ${path}: the folder has no .yaml, .yml or .json file`);
  return files.map((file) => ({ text: readFileSync(file, "utf8"), source: file }));
};

const unreadable = (path: string, error: unknown): CapstanError => {
  const isMissing = (error as NodeJS.ErrnoException).code === "ENOENT";
  if (isMissing && /^[a-z][a-z0-9+.-]*:\/\//i.test(path)) {
    return invalid(`-f ${path}: only URLs of http and https are read; fetch the file and name it`, error);
  }
  const why = isMissing ? `there is no such file or folder (from ${process.cwd()})` : whyUnreadable(error);
  return invalid(`-f ${path}: ${why}`, error);
};

/** The manifests of a folder, by name. */
export const manifestFiles = (folder: string): readonly string[] =>
  readdirSync(folder)
    .filter((name) => /\.(ya?ml|json)$/.test(name) && !name.startsWith("."))
    .toSorted()
    .map((name) => join(folder, name));

/** Files hold the manifests of whole installations, many megabytes of YAML. */
const fileLimits = { marks: 5_000_000 };

const documentsOf = (text: string, source: string): readonly YamlDocument[] => {
  try {
    return readYaml(text, fileLimits);
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    throw invalid(`${source}:${error.line ?? 1}: ${error.message}`, error);
  }
};

/** Throws `manifest.invalid`, with its line, for a text that is not YAML. */
export const checkYaml = (text: string, source: string): void => void documentsOf(text, source);

/** Parses one text of YAML or JSON documents; a `List` is taken apart. */
export const parseManifest = (text: string, source: string, variables: Variables): readonly ManifestObject[] => {
  const documents = documentsOf(substituteVariables(text, variables, source), source);
  return documents.flatMap(({ value, line }, index) => {
    const which = documents.length > 1 ? ` (document ${index + 1})` : "";
    return value === null || value === undefined ? [] : flatten(value, { source: `${source}:${line}`, which });
  });
};

const flatten = (
  value: unknown,
  { source, which }: { readonly source: string; readonly which: string },
): readonly ManifestObject[] => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw invalid(`${source}: not a Kubernetes object${which}`);
  }
  const object = value as KubeObject & { readonly items?: readonly unknown[] };
  for (const field of ["apiVersion", "kind"] as const) {
    if (typeof object[field] !== "string" || object[field] === "") {
      throw invalid(`${source}: ${field} is missing${which}`);
    }
  }
  if (object.kind === "List" && object.apiVersion === "v1") {
    return (object.items ?? []).flatMap((item) => flatten(item, { source, which }));
  }
  if (typeof object.metadata !== "object" || (object.metadata?.name ?? "") === "") {
    throw invalid(`${source}: ${object.kind}: metadata.name is missing${which}`);
  }
  return [{ object: withoutNulls(object) as KubeObject, source }];
};

/** A null in a manifest (`matchLabels:` with nothing behind it) means absent; as an applied value the server would refuse it. */
const withoutNulls = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, entry]) => entry !== null)
      .map(([key, entry]) => [key, withoutNulls(entry)]),
  );
};
