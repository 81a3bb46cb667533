import { isCapstanError, rfc3339 } from "@capstan/contract";
import { ownerReferenceTo } from "@capstan/kube";
import type { Manager, Runnable } from "@capstan/runtime";
import { Lease, Node } from "../kinds/workload-kinds.ts";
import type { Kubelet, Kubelets } from "./kubelets.ts";

const namespace = "kube-node-lease";
const everyMs = 20_000;
const leaseSeconds = 40;

const renew = async ({ client, cache, clock }: Manager, { node }: Kubelet, signal: AbortSignal): Promise<void> => {
  const object = cache.get(Node, { name: node });
  if (object === undefined) return;
  const renewTime = rfc3339(clock.now()).replace("Z", ".000000Z");
  try {
    await client.patch(Lease, { namespace, name: node }, { type: "merge", body: { spec: { renewTime } } }, { signal });
  } catch (error) {
    if (!isCapstanError(error, "kube.not_found")) throw error;
    await client.create(
      Lease,
      {
        apiVersion: "coordination.k8s.io/v1",
        kind: "Lease",
        metadata: { namespace, name: node, ownerReferences: [ownerReferenceTo(object)] },
        spec: { holderIdentity: node, leaseDurationSeconds: leaseSeconds, renewTime },
      },
      { signal },
    );
  }
};

/** Every kubelet that runs and gets to the API server renews the Lease of its Node, with one timer for all of them. */
export const heartbeats = (manager: Manager, kubelets: Kubelets): Runnable => ({
  name: "heartbeats",
  needsLeader: true,
  run: async ({ signal }) => {
    while (!signal.aborted) {
      for (const kubelet of kubelets.hear()) {
        await renew(manager, kubelet, signal).catch((error: unknown) => {
          manager.log.debug("a lease was not renewed", { node: kubelet.node, error: String(error) });
        });
      }
      await manager.clock.sleep(everyMs, { signal }).catch(() => undefined);
    }
  },
});
