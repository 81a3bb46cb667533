import { readYaml } from "@capstan/kube-values/yaml";
import type { KubeObject } from "@capstan/schema";
import type { Internet } from "../internet/internet.ts";
import type { UnixContext } from "../unix/program.ts";

/** Returns the text that `-f` refers to: a file, an address, or the input. Throws in kubectl's words. */
const textOf = (from: string, { disk, input }: UnixContext, internet: Internet): string => {
  if (from === "-") return input.all();
  if (/^https?:\/\//.test(from)) {
    const answer = internet.get(from);
    if (answer.kind === "unresolved") {
      const { host } = new URL(from);
      throw new Error(
        `error: unable to read URL ${JSON.stringify(from)}: Get ${JSON.stringify(from)}: dial tcp: lookup ${host}: no such host`,
      );
    }
    if (answer.kind === "dropped") {
      const { host } = new URL(from);
      throw new Error(
        `error: unable to read URL ${JSON.stringify(from)}: Get ${JSON.stringify(from)}: dial tcp: ${host}: i/o timeout`,
      );
    }
    if (answer.status !== 200) {
      throw new Error(
        `error: unable to read URL ${JSON.stringify(from)}, server reported ${answer.status} Not Found, status code=${answer.status}`,
      );
    }
    return answer.body;
  }
  const text = disk.text(from);
  if (text !== undefined) return text;
  if (!disk.isDirectory(from)) throw new Error(`error: the path ${JSON.stringify(from)} does not exist`);
  const folder = from.replace(/\/$/, "");
  return disk
    .paths()
    .filter((path) => path.startsWith(`${folder}/`) && /\.(?:ya?ml|json)$/.test(path))
    .map((path) => disk.text(path) ?? "")
    .join("\n---\n");
};

const isObject = (value: unknown): value is KubeObject =>
  typeof value === "object" && value !== null && typeof (value as { kind?: unknown }).kind === "string";

/** The objects of a manifest, with those of lists one by one. Throws in kubectl's words. */
export const readManifests = (from: string, context: UnixContext, internet: Internet): readonly KubeObject[] => {
  const text = textOf(from, context, internet);
  let documents: readonly unknown[];
  try {
    documents = readYaml(text).map(({ value }) => value);
  } catch (error) {
    throw new Error(`error: error parsing ${from}: error converting YAML to JSON: ${(error as Error).message}`, {
      cause: error,
    });
  }
  const objects = documents.flatMap((document): readonly unknown[] =>
    isObject(document) && document.kind.endsWith("List") && Array.isArray((document as { items?: unknown }).items)
      ? (document as unknown as { items: readonly unknown[] }).items
      : document === null || document === undefined
        ? []
        : [document],
  );
  if (objects.length === 0) throw new Error("error: no objects passed to apply");
  for (const object of objects) {
    if (!isObject(object) || typeof (object as { apiVersion?: unknown }).apiVersion !== "string") {
      throw new Error(
        `error: error validating ${JSON.stringify(from)}: error validating data: [apiVersion not set, kind not set]`,
      );
    }
  }
  return objects as readonly KubeObject[];
};
