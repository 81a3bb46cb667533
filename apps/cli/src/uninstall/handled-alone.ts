import { Label } from "@capstan/contract";
import type { Client } from "@capstan/kube";
import type { KubeObject } from "@capstan/schema";
import type { Share } from "../cluster/installation.ts";
import type { InstallationRecord } from "../install/record.ts";
import { leftObjects, type LeftObjects } from "../install/removal.ts";

const definitionsOf = ({ providers }: InstallationRecord): readonly string[] => Object.values(providers).flat();

/** Returns whether managers of this share reconcile the object. */
const handles = ({ namespaces, watchFilter }: Share, { metadata }: KubeObject): boolean =>
  (namespaces.length === 0 || namespaces.includes(metadata.namespace ?? "")) &&
  (watchFilter === undefined || metadata.labels?.[Label.watchFilter] === watchFilter);

/**
 * Returns the objects of kinds shared with other installations that this one alone handles, by namespace or by label.
 */
export const handledAlone = async (
  client: Client,
  own: InstallationRecord | undefined,
  others: readonly InstallationRecord[],
  signal: AbortSignal,
): Promise<readonly LeftObjects[]> => {
  if (own === undefined) return [];
  const having = (name: string): readonly InstallationRecord[] =>
    others.filter((other) => definitionsOf(other).includes(name));
  const shared = definitionsOf(own).filter((name) => having(name).length > 0);
  return (await leftObjects(client, shared, signal)).flatMap(({ definition, objects }) => {
    const rivals = having(definition.metadata.name);
    const alone = objects.filter((object) => handles(own, object) && !rivals.some((other) => handles(other, object)));
    return alone.length === 0 ? [] : [{ definition, objects: alone }];
  });
};
