import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { ManifestObject } from "@capstan/apiserver";
import { CapstanError, type ProxyFor } from "@capstan/contract";
import { byText } from "@capstan/kube-values";
import { readYaml, type YamlDocument, YamlError } from "@capstan/kube-values/yaml";
import { isJsonObject, type KubeObject } from "@capstan/schema";
import { whyUnreadable } from "../file-words.ts";
import { buildKustomization, isKustomizationFile, kustomizedFolder } from "./kustomize.ts";
import { fieldIn } from "./field-path.ts";
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

interface ReadOptions {
  readonly proxyFor?: ProxyFor | undefined;
  readonly signal?: AbortSignal;
  /** Reads the folders in folders too. Default: their files alone. */
  readonly recursive?: boolean | undefined;
}

/**
 * Reads files, folders (their `.yaml`, `.yml` and `.json` files by name), URLs, kustomizations and standard input (`-`). Throws `manifest.invalid` or
 * `manifest.variable_missing` with file and line.
 */
export const readManifestFiles = async (
  paths: readonly string[],
  variables: Variables,
  options: ReadOptions = {},
): Promise<readonly ManifestFile[]> => {
  const files: ManifestFile[] = [];
  for (const path of paths) {
    const texts = await textsAt(path, options);
    const parsed = texts.map(({ text, source }) => ({ source, objects: parseManifest(text, source, variables) }));
    if (parsed.every(({ objects }) => objects.length === 0)) throw invalid(`${flagOf(path)}: declares no object`);
    files.push(...parsed);
  }
  return files;
};

interface ManifestText {
  readonly text: string;
  readonly source: string;
}

/** Returns whether a name of a file is that of one elsewhere. */
export const isUrl = (path: string): boolean => /^https?:\/\//i.test(path);

/** Returns whether a path, or the source of a file, is on no file system. */
export const isElsewhere = (place: string): boolean =>
  place === "-" || place === standardInput || isUrl(kustomizedFolder(place) ?? place);

/** A manifest as the command line names it. */
const flagOf = (path: string): string => {
  const folder = kustomizedFolder(path);
  return folder === undefined ? `-f ${path}` : `-k ${folder}`;
};

const textsAt = async (path: string, options: ReadOptions): Promise<readonly ManifestText[]> => {
  const folder = kustomizedFolder(path);
  if (folder !== undefined) return [{ text: await built(folder, path, options), source: path }];
  return isUrl(path) ? [await fetched(path, options)] : textsOf(path, options.recursive);
};

const built = async (folder: string, path: string, { signal }: ReadOptions): Promise<string> => {
  try {
    return await buildKustomization(folder, { signal });
  } catch (error) {
    signal?.throwIfAborted();
    throw invalid(`${flagOf(path)}: ${(error as Error).message}`, error);
  }
};

const fetched = async (url: string, outside: ReadOptions): Promise<ManifestText> => {
  try {
    // Its HTTP client is loaded only by those who need it.
    const { fetchText } = await import("./fetch-text.ts");
    return { text: await fetchText(url, outside), source: url };
  } catch (error) {
    outside.signal?.throwIfAborted();
    throw invalid(`-f ${url}: ${(error as Error).message}`, error);
  }
};

const isEmptyFile = (path: string, place: string): boolean => {
  try {
    const found = statSync(place);
    return found.isFile() && found.size === 0;
  } catch (error) {
    throw unreadable(path, error);
  }
};

/** Throws `manifest.invalid` for a file or folder that is not there, or a file that is empty, without reading any: what feeds a pipe is read once. */
export const checkManifestPaths = (paths: readonly string[]): void => {
  for (const path of paths) {
    if (path.trim() === "") throw invalid("-f: must name a file, a folder or a URL; it is empty");
    const place = kustomizedFolder(path) ?? path;
    if (path === "-" || isUrl(place)) continue;
    if (isEmptyFile(path, place)) throw invalid(`${flagOf(path)}: declares no object`);
  }
};

const textsOf = (path: string, recursive = false): readonly ManifestText[] => {
  try {
    if (path === "-") return [{ text: readFileSync(0, "utf8"), source: standardInput }];
    if (!statSync(path).isDirectory()) return [{ text: readFileSync(path, "utf8"), source: path }];
  } catch (error) {
    throw unreadable(path, error);
  }
  const files = manifestFiles(path, recursive);
  if (files.length === 0) {
    const hint = recursive ? "" : "; -R reads subfolders";
    throw invalid(`-f ${path}: the folder has no .yaml, .yml or .json file${hint}`);
  }
  return files.map((file) => ({ text: readFileSync(file, "utf8"), source: file }));
};

const unreadable = (path: string, error: unknown): CapstanError => {
  const isMissing = (error as NodeJS.ErrnoException).code === "ENOENT";
  if (isMissing && kustomizedFolder(path) === undefined && /^[a-z][a-z0-9+.-]*:\/\//i.test(path)) {
    return invalid(`-f ${path}: only http and https URLs are supported; download the file and name it`, error);
  }
  const why = isMissing ? `no such file or folder (from ${process.cwd()})` : whyUnreadable(error);
  return invalid(`${flagOf(path)}: ${why}`, error);
};

/** The manifests of a folder, by name; those of folders in it, which hold no links to others, where `recursive`. */
export const manifestFiles = (folder: string, recursive = false): readonly string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !name.startsWith("."))
    .toSorted((a, b) => byText(a.name, b.name))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (recursive && entry.isDirectory()) return manifestFiles(path, recursive);
      return /\.(ya?ml|json)$/.test(entry.name) ? [path] : [];
    });

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

/** The objects of one text of YAML, without looking at what else it holds. Throws `manifest.invalid`, with its line, for a text that is not YAML. */
export const objectsIn = (text: string, source: string): readonly ManifestObject[] =>
  documentsOf(text, source).flatMap(({ value, line }) => {
    const { apiVersion, kind, metadata } = isJsonObject(value) ? value : {};
    const isObject = typeof apiVersion === "string" && typeof kind === "string" && isJsonObject(metadata);
    return isObject ? [{ object: value as KubeObject, source: `${source}:${line}` }] : [];
  });

/** Parses one text of YAML or JSON documents; a `List` is taken apart. */
export const parseManifest = (text: string, source: string, variables: Variables): readonly ManifestObject[] => {
  const filled = substituteVariables(text, variables, source);
  const documents = documentsOf(filled, source);
  return documents.flatMap(({ value, line }, index) => {
    if (value === null || value === undefined) return [];
    const which = documents.length > 1 ? ` (document ${index + 1})` : "";
    const place = { file: source, text: filled, document: index };
    return flatten(value, { source: `${source}:${line}`, which, before: [], place });
  });
};

/** The text that objects stand in. */
interface TextPlace {
  readonly file: string;
  readonly text: string;
  /** Which one of its documents, from 0. */
  readonly document: number;
}

/** Loads the code that finds the lines of fields on demand. */
const placeFinder =
  (source: string, before: readonly (number | string)[], { document, file, text }: TextPlace) =>
  async (message: string): Promise<string> => {
    const field = fieldIn(message);
    if (field === undefined) return source;
    const { fieldLine } = await import("./field-lines.ts");
    const line = fieldLine(text, { document, before, field });
    return line === undefined ? source : `${file}:${line}`;
  };

const flatten = (
  value: unknown,
  where: {
    readonly source: string;
    readonly which: string;
    /** The steps to it in its document. */
    readonly before: readonly (number | string)[];
    readonly place: TextPlace;
  },
): readonly ManifestObject[] => {
  const { source, which, before, place } = where;
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw invalid(`${source}: not a Kubernetes object${which}`);
  }
  const object = value as KubeObject & { readonly items?: readonly unknown[] };
  for (const field of ["apiVersion", "kind"] as const) {
    if (typeof object[field] !== "string" || object[field] === "") {
      const hint = isKustomizationFile(place.file) ? "; use -k with its folder to build a kustomization" : "";
      throw invalid(`${source}: ${field} is missing${which}${hint}`);
    }
  }
  if (object.kind === "List" && object.apiVersion === "v1") {
    return (object.items ?? []).flatMap((item, index) =>
      flatten(item, { ...where, before: [...before, "items", index] }),
    );
  }
  if (typeof object.metadata !== "object" || (object.metadata?.name ?? "") === "") {
    throw invalid(`${source}: ${object.kind}: metadata.name is missing${which}`);
  }
  return [{ object: withoutNulls(object) as KubeObject, source, placeOf: placeFinder(source, before, place) }];
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
