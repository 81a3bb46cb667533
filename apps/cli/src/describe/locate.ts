import { notFound } from "@capstan/inspect";
import type { Client } from "@capstan/kube";
import type { Resource } from "@capstan/schema";
import { absenceOf } from "../cluster/absence.ts";
import { findResources } from "../cluster/find-resource.ts";
import { anyOf } from "../near-words.ts";

interface Named {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

interface Call {
  readonly signal: AbortSignal;
}

/**
 * The kind that a word means. Where several groups have a kind of that name it is the first that has an object of the name. Throws
 * `command.kind_unknown`, `describe.not_found`.
 */
export const locate = async (client: Client, named: Named, call: Call): Promise<Resource> => {
  const kinds = await findResources(client, named.kind, call);
  if (kinds.length === 1) return kinds[0];
  const { namespace, name } = named;
  const unread: unknown[] = [];
  for (const kind of kinds) {
    try {
      if ((await client.find(kind, kind.namespaced ? { namespace, name } : { name }, call)) !== undefined) return kind;
    } catch (error) {
      unread.push(error);
    }
  }
  // A kind that could not be read may be the one that is meant.
  if (unread.length > 0) throw unread[0];
  const said = await absenceOf(client, kinds[0], named, call);
  throw notFound(
    `${said} (of ${named.kind} the server has ${anyOf(kinds.map(({ plural, group }) => (group === "" ? plural : `${plural}.${group}`)))})`,
  );
};
