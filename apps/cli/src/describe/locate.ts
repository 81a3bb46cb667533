import { CapstanError, isCapstanError } from "@capstan/contract";
import type { Client } from "@capstan/kube";
import type { KubeObject, Resource } from "@capstan/schema";
import { absenceOf } from "../cluster/absence.ts";
import { findResources } from "../cluster/find-resource.ts";
import { anyOf } from "../cluster/near-words.ts";

interface Named {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

interface Call {
  readonly signal: AbortSignal;
}

const find = async (
  client: Client,
  resource: Resource,
  { namespace, name }: Named,
  { signal }: Call,
): Promise<KubeObject | undefined> => {
  try {
    return await client.find(resource, resource.namespaced ? { namespace, name } : { name }, { signal });
  } catch (error) {
    // Of several kinds those that one may not read are none that is meant.
    if (isCapstanError(error)) return undefined;
    throw error;
  }
};

/**
 * The kind that a word means. Where several groups have a kind of that name it is the first that has an object of the name. Throws
 * `command.kind_unknown`, `describe.not_found`.
 */
export const locate = async (client: Client, named: Named, call: Call): Promise<Resource> => {
  const kinds = await findResources(client, named.kind, call);
  if (kinds.length === 1) return kinds[0];
  for (const kind of kinds) {
    if ((await find(client, kind, named, call)) !== undefined) return kind;
  }
  const said = await absenceOf(client, kinds[0], named, call);
  throw notFound(
    `${said} (of ${named.kind} the server has ${anyOf(kinds.map(({ plural, group }) => (group === "" ? plural : `${plural}.${group}`)))})`,
  );
};

/** Nothing is there of that name. */
export const notFound = (message: string): CapstanError =>
  new CapstanError({ code: "describe.not_found", reason: "NotFound", message, retry: { kind: "never" } });
