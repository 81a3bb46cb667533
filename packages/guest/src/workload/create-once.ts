import { isCapstanError } from "@capstan/contract";
import type { Client } from "@capstan/kube";
import type { KubeObject, Resource } from "@capstan/schema";

/** Creates an object, unless there is one of its name. */
export const createOnce = async (
  client: Client,
  kind: Resource,
  object: KubeObject,
  signal: AbortSignal,
): Promise<void> => {
  try {
    await client.create(kind, object, { signal });
  } catch (error) {
    if (!isCapstanError(error, "kube.already_exists")) throw error;
  }
};
