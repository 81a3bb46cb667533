import { isCapstanError } from "@capstan/contract";
import type { Client } from "@capstan/kube";
import type { KubeObject, Resource } from "@capstan/schema";
import { anyOf, nearWords } from "../near-words.ts";

interface Sought {
  readonly namespace: string;
  readonly name: string;
}

/** Suggests objects for a name that does not exist: the same name in other namespaces, or a similar one in this one. */
const meant = (there: readonly KubeObject[], { namespace, name }: Sought): string | undefined => {
  const elsewhere = there
    .filter(({ metadata }) => metadata.name === name)
    .map(({ metadata }) => metadata.namespace ?? "");
  if (elsewhere.length > 0) return `there is one in namespace ${anyOf(elsewhere)}; add --namespace`;
  const beside = there.filter(({ metadata }) => (metadata.namespace ?? namespace) === namespace);
  const near = nearWords(
    name,
    beside.map((object) => object.metadata.name ?? ""),
  );
  return near.length === 0 ? undefined : `did you mean ${anyOf(near)}?`;
};

/** Every object of a kind, as far as one may read them. */
const everywhere = async (client: Client, kind: Resource, signal: AbortSignal): Promise<readonly KubeObject[]> => {
  try {
    return (await client.list(kind, { signal })).items;
  } catch (error) {
    if (isCapstanError(error)) return [];
    throw error;
  }
};

/** Says that an object is not there, and what may have been meant. */
export const absenceOf = async (
  client: Client,
  kind: Resource,
  sought: Sought,
  { signal }: { readonly signal: AbortSignal },
): Promise<string> => {
  const place = kind.namespaced ? ` in namespace ${sought.namespace}` : "";
  const hint =
    meant(await everywhere(client, kind, signal), sought) ??
    (kind.namespaced ? "choose another with --namespace" : undefined);
  return `there is no ${kind.kind} ${sought.name}${place}${hint === undefined ? "" : `; ${hint}`}`;
};
