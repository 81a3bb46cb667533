import type { ReconcileContext } from "@capstan/runtime";
import type { KubeObject, LabelSelector, Resource } from "@capstan/schema";
import { keyOf, selectorText } from "@capstan/kube-values";

/** Objects of a kind as the API server has them, however old the cache is, which learns them too. */
export const listLive = async <T extends KubeObject>(
  { cache, client }: Pick<ReconcileContext, "cache" | "client">,
  kind: Resource<T>,
  { namespace, selector }: { readonly namespace: string | undefined; readonly selector: LabelSelector },
): Promise<readonly T[]> => {
  const { items } = await client.list(kind, { namespace: namespace ?? "", labelSelector: selectorText(selector) });
  const informer = cache.informer(kind);
  for (const object of items) {
    if (informer.get(keyOf(object))?.metadata.resourceVersion !== object.metadata.resourceVersion) {
      informer.observe(object);
    }
  }
  return items;
};
