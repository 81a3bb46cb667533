import type { ControllerV1 } from "@capstan/contract/v1";
import { permission, watched } from "@capstan/kit";
import { keyOf } from "@capstan/kube-values";
import { controller, watch } from "@capstan/runtime";
import { ElementalHost } from "../../src/elemental/api/elemental-host.v1beta1.ts";
import { HostLabel } from "../../src/elemental/api/names.ts";
import { isBootstrapped, isReset, needsReset } from "../../src/elemental/host/host-facts.ts";

/** Plays the agents of all hosts: what has bootstrap data is bootstrapped, and what is to be reset is removed. */
export const hostPart = (): ControllerV1 =>
  controller({
    name: "host-part",
    permissions: { own: [watched(ElementalHost, ["patch", "delete"]), permission(ElementalHost, ["patch"])] },
    sources: [watch(ElementalHost)],
    reconcile: async (request, { cache, client, signal }) => {
      const host = cache.get<ElementalHost>(ElementalHost, request);
      if (host === undefined || isReset(host)) return;
      const label = async (name: string): Promise<void> => {
        const body = { metadata: { labels: { [name]: "true" } } };
        await client.patch(ElementalHost, keyOf(host), { type: "merge", body }, { signal });
      };
      if (needsReset(host)) {
        await client.delete(ElementalHost, keyOf(host), { signal });
        await label(HostLabel.reset);
      } else if (host.spec?.bootstrapSecret !== undefined && !isBootstrapped(host)) {
        await label(HostLabel.bootstrapped);
      }
    },
  });
