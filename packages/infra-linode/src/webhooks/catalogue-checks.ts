import { isCapstanError } from "@capstan/contract";
import type { AdmissionContextV1 } from "@capstan/contract/v1";
import { SecretResource } from "@capstan/contract/wire";
import { invalid } from "@capstan/kit/admission";
import { credentialsIn } from "@capstan/kit/machine";
import type { SecretRef } from "@capstan/kit/machine";
import type { Region } from "@capstan/linode-client";
import type { Cause, KubeObject } from "@capstan/schema";
import type { Connect } from "../cloud/connections.ts";
import type { Call, LinodeApi } from "../cloud/linode-api.ts";

/** A request is not kept waiting longer than this for what Linode says. */
const longestMs = 10_000;

/** Asks Linode something for an admission. Without credentials, or an answer, nothing is held against the object: controllers will see. */
export const askLinode = async (
  {
    connect,
    object,
    ref,
  }: { readonly connect: Connect; readonly object: KubeObject; readonly ref: SecretRef | undefined },
  { find }: Pick<AdmissionContextV1, "find">,
  ask: (api: LinodeApi, call: Call) => Promise<readonly Cause[]>,
  patienceMs: number = longestMs,
): Promise<readonly Cause[]> => {
  const signal = AbortSignal.timeout(patienceMs);
  try {
    const key = ref && { name: ref.name, namespace: ref.namespace ?? object.metadata.namespace ?? "" };
    const secret = key && (await find(SecretResource, key));
    if (key !== undefined && secret === undefined) return [];
    const api = connect(secret && credentialsIn(secret), object);
    return await ask(api, { signal });
  } catch (error) {
    if (signal.aborted || isCapstanError(error)) return [];
    throw error;
  }
};

/** Returns whether a region is there and has what is asked of it. */
export const regionCauses = (
  field: string,
  id: string,
  regions: readonly Region[],
  capability?: string,
): readonly Cause[] => {
  const region = regions.find((each) => each.id === id);
  if (region === undefined) {
    return [invalid(field, id, `there is no such region; there are ${regions.map((each) => each.id).join(", ")}`)];
  }
  if (capability === undefined || region.capabilities.includes(capability)) return [];
  const others = regions.filter(({ capabilities }) => capabilities.includes(capability)).map((each) => each.id);
  return [invalid(field, id, `the region does not have ${capability}; these have: ${others.join(", ")}`)];
};
