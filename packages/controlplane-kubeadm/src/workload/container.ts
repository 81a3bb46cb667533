import type { KubeObject } from "@capstan/schema";

interface Container {
  readonly name: string;
  readonly image?: string;
}

/** A container of the Pods of a workload. */
export const containerIn = (workload: KubeObject, name: string): Container | undefined => {
  const spec = workload["spec"] as
    | { readonly template?: { readonly spec?: { readonly containers?: readonly Container[] } } }
    | undefined;
  return spec?.template?.spec?.containers?.find((container) => container.name === name);
};
