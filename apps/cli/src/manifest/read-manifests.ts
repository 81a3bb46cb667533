import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { CapstanError } from "@capstan/contract";
import type { KubeObject } from "@capstan/schema";
import { LineCounter, parseAllDocuments } from "yaml";
import { substituteVariables, type Variables } from "./variables.ts";

/** One object of a manifest and where it stands. */
export interface ManifestObject {
  readonly object: KubeObject;
  /** `file:line`. */
  readonly source: string;
}

const invalid = (message: string, cause?: unknown): CapstanError =>
  new CapstanError({ code: "manifest.invalid", reason: "ManifestInvalid", message, retry: { kind: "never" }, cause });

/**
 * Reads files, folders (their `.yaml`, `.yml` and `.json` files by name) or standard input (`-`). Throws `manifest.invalid` or
 * `manifest.variable_missing` with file and line.
 */
export const readManifests = (paths: readonly string[], variables: Variables): readonly ManifestObject[] =>
  paths.flatMap((path) => texts(path)).flatMap(({ text, source }) => parseManifest(text, source, variables));

const texts = (path: string): readonly { readonly text: string; readonly source: string }[] => {
  try {
    if (path === "-") return [{ text: readFileSync(0, "utf8"), source: "standard input" }];
    if (!statSync(path).isDirectory()) return [{ text: readFileSync(path, "utf8"), source: path }];
    return readdirSync(path)
      .filter((name) => /\.(ya?ml|json)$/.test(name))
      .toSorted()
      .map((name) => ({ text: readFileSync(join(path, name), "utf8"), source: join(path, name) }));
  } catch (error) {
    throw invalid(`-f ${path}: ${(error as Error).message}`, error);
  }
};

/** Parses one text of YAML or JSON documents; a `List` is taken apart. */
export const parseManifest = (text: string, source: string, variables: Variables): readonly ManifestObject[] => {
  const lines = new LineCounter();
  const documents = parseAllDocuments(substituteVariables(text, variables, source), { lineCounter: lines });
  const objects: ManifestObject[] = [];
  for (const document of documents) {
    if (!("toJS" in document)) continue;
    const place = `${source}:${lines.linePos(document.contents?.range?.[0] ?? document.range[0]).line}`;
    const [error] = document.errors;
    if (error !== undefined)
      throw invalid(`${source}:${error.linePos?.[0].line ?? 1}: ${error.message.split("\n", 1)[0] ?? ""}`, error);
    const value: unknown = document.toJS({ maxAliasCount: 100 });
    if (value === null || value === undefined) continue;
    objects.push(...flatten(value, place));
  }
  return objects;
};

const flatten = (value: unknown, source: string): readonly ManifestObject[] => {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw invalid(`${source}: not a Kubernetes object`);
  const object = value as KubeObject & { readonly items?: readonly unknown[] };
  for (const field of ["apiVersion", "kind"] as const) {
    if (typeof object[field] !== "string" || object[field] === "") throw invalid(`${source}: ${field} is missing`);
  }
  if (object.kind === "List" && object.apiVersion === "v1")
    return (object.items ?? []).flatMap((item) => flatten(item, source));
  if (typeof object.metadata !== "object" || (object.metadata?.name ?? "") === "") {
    throw invalid(`${source}: ${object.kind}: metadata.name is missing`);
  }
  return [{ object, source }];
};
