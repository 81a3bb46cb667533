import type { KubeObject } from "@capstan/schema";
import { isLongWrite, longStepOf } from "./long-steps.ts";
import type { Served } from "./served.ts";
import { type WriteCall, type WriteEnvironment, writerOf } from "./write-call.ts";
import { ownersOf } from "./write-steps.ts";

/** The object with `managedFields` brought up to date for a plain write. */
export const withManager = async (
  environment: WriteEnvironment,
  call: WriteCall,
  write: { readonly live?: Served; readonly updated: KubeObject; readonly subresource: string },
): Promise<KubeObject> => {
  const { live, subresource, updated } = write;
  const writer = writerOf(environment, call, subresource);
  const found = isLongWrite(call, live, updated)
    ? await longStepOf(call, { type: "owners", writer }, [updated, live?.text])
    : ownersOf(call.definition, { live: live?.object, updated }, writer);
  const managedFields = (found ?? []) as NonNullable<KubeObject["metadata"]["managedFields"]>;
  const { managedFields: _, ...metadata } = updated.metadata;
  return {
    ...updated,
    metadata: managedFields.length === 0 ? metadata : { ...metadata, managedFields },
  };
};
