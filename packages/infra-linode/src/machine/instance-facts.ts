import type { MachineFacts } from "@capstan/kit/machine";
import type { Instance } from "@capstan/linode-client";
import type { LinodeMachine } from "../api/linode-machine.v1alpha2.ts";
import { hadMetadata } from "../stack-script/stack-script-routes.ts";

export const providerIDOf = (id: number): string => `linode://${id}`;

/** The id of the instance that a provider id names. */
export const instanceIdOf = (providerID: string | undefined): number | undefined => {
  const id = /^linode:\/\/(\d+)$/.exec(providerID ?? "")?.[1];
  return id === undefined ? undefined : Number(id);
};

/** Returns the facts of an instance in a list. */
export const factsOf = ({ id, status }: Instance, object: LinodeMachine): MachineFacts => ({
  handle: String(id),
  providerID: providerIDOf(id),
  status: { instanceState: status, cloudinitMetadataSupport: hadMetadata(object) },
});
