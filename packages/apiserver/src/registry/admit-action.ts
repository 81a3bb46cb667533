import type { KubeObject } from "@capstan/schema";
import { approve, mutate } from "./admission-chain.ts";
import { admissionRequest, type WriteCall, type WriteEnvironment } from "./write-call.ts";

/** Asks admission about something that is created and not stored: an eviction, a binding, a token, a review. */
export const admitAction = async (
  environment: WriteEnvironment,
  call: WriteCall,
  action: { readonly name: string; readonly subresource: string; readonly body: KubeObject },
): Promise<KubeObject> => {
  const { body: object, ...about } = action;
  const request = admissionRequest(call, { operation: "CREATE", ...about, object });
  const admitted = await mutate(environment.admission, request);
  await approve(environment.admission, { ...request, object: admitted });
  return admitted;
};
