import type { KubeObject } from "@capstan/schema";
import type { AdmissionPlugin, AdmissionRequest } from "./extension.ts";

/** Asks every mutating plugin in order; each sees the changes of those before it. */
export const mutate = async (plugins: readonly AdmissionPlugin[], request: AdmissionRequest): Promise<KubeObject> => {
  let object = request.object as KubeObject;
  for (const plugin of plugins) {
    if (plugin.admit !== undefined) {
      object = (await plugin.admit({ ...request, object })) ?? object;
    }
  }
  return object;
};

/** Asks every plugin that decides before the object is validated, in order. */
export const guard = async (plugins: readonly AdmissionPlugin[], request: AdmissionRequest): Promise<void> => {
  for (const plugin of plugins) {
    await plugin.guard?.(request);
  }
};

/** Asks every validating plugin in order. */
export const approve = async (plugins: readonly AdmissionPlugin[], request: AdmissionRequest): Promise<void> => {
  for (const plugin of plugins) {
    await plugin.validate?.(request);
  }
};
