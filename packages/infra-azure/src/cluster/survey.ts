import type { ResourceRef } from "../arm/resource-id.ts";
import type { AzureResource } from "../cloud/azure-api.ts";
import { zonesOf } from "../cloud/skus.ts";
import type { PlanFacts } from "./cluster-parts.ts";
import { groupParts, partWaves } from "./cluster-parts.ts";
import type { ClusterContext } from "./cluster-context.ts";
import { seenGroup } from "./group-claims.ts";
import type { Look, Part, SeenPart } from "./part.ts";
import { seen } from "./part.ts";
import type { ClusterPlace } from "./place.ts";
import { refs } from "./place.ts";
import { isOwned } from "./belonging.ts";

/** A zone that machines may be in. */
interface FailureDomain {
  readonly name: string;
  readonly controlPlane: boolean;
}

export interface Survey {
  readonly domains: readonly FailureDomain[];
  readonly parts: readonly SeenPart[];
  /** The first wave that is not done; `undefined`: all are. */
  readonly open: readonly SeenPart[] | undefined;
  /** A network of another user, which is used as it is. */
  readonly foreignNetwork: AzureResource | undefined;
}

/** The zones that machines may be in: those of the location, as far as the spec lets them. Edge zones have none. */
const failureDomainsOf = async (
  { api, call }: ClusterContext,
  { spec }: ClusterPlace,
): Promise<readonly FailureDomain[]> => {
  const zones = spec.extendedLocation === undefined ? zonesOf(await api.skus(spec.location, call)) : [];
  return zones.map((name) => ({ name, controlPlane: spec.failureDomains?.[name]?.controlPlane !== false }));
};

/** Reads each resource once. */
const onceEach = (look: Look): Look => {
  const found = new Map<string, ReturnType<Look>>();
  return (ref, call) => {
    const answer = found.get(ref.id) ?? look(ref, call);
    found.set(ref.id, answer);
    return answer;
  };
};

/**
 * Returns the parts found, wave by wave, up to the first wave that is not done. `madeHere` reports whether Azure said that a group was made
 * for the cluster.
 */
export const survey = async (
  context: ClusterContext,
  place: ClusterPlace,
  { look: reading, madeHere }: { readonly look: Look; readonly madeHere: (group: ResourceRef) => boolean },
): Promise<Survey> => {
  const { call } = context;
  const look = onceEach(reading);
  const domains = await failureDomainsOf(context, place);
  const facts: PlanFacts = { failureDomains: domains.map(({ name }) => name) };
  const parts: SeenPart[] = [];
  const add = async (wave: readonly Part[]): Promise<readonly SeenPart[]> => {
    const found = await Promise.all(wave.map((part) => seen(part, { call, look, place })));
    parts.push(...found);
    return found;
  };
  const isOpen = (wave: readonly SeenPart[]): boolean => wave.some(({ state }) => state !== "ready");
  const first = await Promise.all(groupParts(place).map((part) => seenGroup(context, place, { look, madeHere, part })));
  parts.push(...first);
  if (isOpen(first)) return { domains, parts, open: first, foreignNetwork: undefined };
  const network = await look(refs.network(place), call);
  const foreignNetwork = network === undefined || isOwned(network, place.claim) ? undefined : network;
  if (foreignNetwork !== undefined) {
    const own = partWaves(place, facts, true)
      .flat()
      .filter(({ ref }) => ref.id === refs.network(place).id);
    const taken = (await Promise.all(own.map((part) => seen(part, { call, look, place })))).filter(
      ({ owner }) => owner,
    );
    if (taken.length > 0) return { domains, parts: [...parts, ...taken], open: taken, foreignNetwork: undefined };
  }
  const [, ...waves] = partWaves(place, facts, foreignNetwork === undefined);
  for (const wave of waves) {
    const found = await add(wave);
    if (isOpen(found)) return { domains, parts, open: found, foreignNetwork };
  }
  return { domains, parts, open: undefined, foreignNetwork };
};
