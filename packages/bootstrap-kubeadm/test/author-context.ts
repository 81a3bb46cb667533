import { silentLogger, type Clock } from "@capstan/contract";
import { isControlPlane, SecretResource } from "@capstan/contract/wire";
import type { BootstrapContext } from "@capstan/kit/bootstrap";
import { secretBytes, secretText } from "@capstan/kit/bootstrap";
import type { Client } from "@capstan/kube";
import type { KubeObject } from "@capstan/schema";
import { seededRandom } from "@capstan/testing";
import { KubeadmConfig } from "../src/api.ts";

/** What a manager hands to the author. One API server is the management cluster and the workload cluster at once. */
export const authorContext = (
  { client, clock }: { readonly client: Client; readonly clock: Clock },
  objects: { readonly object: KubeadmConfig; readonly machine: KubeObject; readonly cluster: KubeObject },
): BootstrapContext<KubeadmConfig> => {
  const { namespace = "", name = "" } = objects.object.metadata;
  return {
    ...objects,
    controlPlane: isControlPlane(objects.machine),
    client,
    clock,
    random: seededRandom(42),
    log: silentLogger,
    call: { signal: new AbortController().signal },
    event: () => undefined,
    persistSpec: (patch) =>
      client.patch<KubeadmConfig>(KubeadmConfig, { namespace, name }, { type: "merge", body: { spec: patch } }),
    secret: async (secret) => {
      const found = await client.find(SecretResource, { namespace, name: secret });
      return found === undefined ? undefined : secretText(secretBytes(found));
    },
    workload: async () => client,
    uses: {},
    condition: () => undefined,
  };
};
