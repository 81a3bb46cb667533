import { Group } from "@capstan/contract";
import type { ProviderV1 } from "@capstan/contract/v1";
import { defineProvider } from "@capstan/kit";
import * as cluster from "@capstan/kit/cluster";
import { secretReference } from "@capstan/kit/delivery";
import { claimed } from "@capstan/kit/engine";
import type { Claims } from "@capstan/kit/engine";
import { absent, infraMachine, internalIP, pending, present, removing } from "@capstan/kit/machine";
import type { MachineObservation, MachineVerbContext } from "@capstan/kit/machine";
import { isBeingDeleted } from "@capstan/kube-values";
import type { KubeObject } from "@capstan/schema";
import { ClaimedCluster, ClaimedMachine, PoolAddress, PoolHost } from "./claimed-kinds.ts";

const addresses = { address: claimed(PoolAddress) };

/** True if the last request to the host is done and the host is off. */
const isOff = ({ metadata, status }: PoolHost): boolean =>
  status?.state === "off" && status.observedGeneration === metadata.generation;

const hosts = { host: claimed(PoolHost, { mayBeClaimed: isOff }) };

type Context = MachineVerbContext<ClaimedMachine, undefined, ClaimedCluster, typeof hosts>;

/** The hosts that would do: of the failure domain that the Machine asks for. */
const fitting = ({ failureDomain, uses: { host } }: Context): readonly PoolHost[] =>
  host.candidates(({ spec }) => failureDomain === undefined || spec.failureDomain === failureDomain);

/** Takes one; others may be faster. */
const claimOne = async <W extends KubeObject>(claims: Claims<W>, candidates: readonly W[]): Promise<void> => {
  for (const candidate of candidates) if ((await claims.claim(candidate)) !== undefined) return;
};

const observeWithout = (context: Context): MachineObservation => {
  const { failureDomain, object } = context;
  if (isBeingDeleted(object)) return absent();
  if (fitting(context).length > 0) return absent({ step: "claim" });
  const place = failureDomain === undefined ? "" : ` in the failure domain ${failureDomain}`;
  return absent({ reason: "NoHost", message: `no PoolHost${place} is free and off; add one` });
};

const observe = async (context: Context): Promise<MachineObservation> => {
  const { identity, object, uses } = context;
  const host = uses.host.mine();
  if (host === undefined) return observeWithout(context);
  const { metadata, spec, status } = host;
  const { name: handle = "" } = metadata;
  const isOn = spec.poweredOn === true;
  if (isBeingDeleted(object)) {
    if (isOn) return removing({ handle, step: "power off" });
    // No one else may have it before it is off; then it is let go.
    return isOff(host) ? pending({ handle, reason: "Off" }) : removing({ handle, reason: "PoweringOff" });
  }
  if (!isOn && object.spec.providerID === undefined) return absent();
  const facts = {
    handle,
    providerID: `pool://${identity.namespace}/${handle}`,
    ...(spec.failureDomain !== undefined && { failureDomain: spec.failureDomain }),
    status: { host: handle },
  };
  if (!isOn) return pending({ ...facts, reason: "PoweredOff", step: "power on" });
  if (status?.state !== "running") return pending({ ...facts, reason: "Booting" });
  return present({ ...facts, addresses: [internalIP(spec.address)] });
};

/** Hosts of a pool as machines: there is no cloud but the management API, and no credentials. */
const claimedMachine = infraMachine({
  kind: ClaimedMachine,
  clusterKind: ClaimedCluster,
  finalizer: `${Group.infrastructure}/claimedmachine`,
  uses: hosts,
  observe,
  create: async ({ bootstrap, uses: { host } }) => {
    const { secret } = await bootstrap.deliver([secretReference()]);
    const userDataSecret = secret === undefined ? null : { name: secret.name, key: secret.key };
    await host.patch({ spec: { userDataSecret, poweredOn: true } });
  },
  steps: {
    claim: (context) => claimOne(context.uses.host, fitting(context)),
    "power on": ({ uses: { host } }) => host.patch({ spec: { poweredOn: true } }),
    "power off": ({ uses: { host } }) => host.patch({ spec: { poweredOn: false } }),
  },
  stages: ({ object }) =>
    isBeingDeleted(object)
      ? [{ name: "powering off", reasons: ["PowerOff", "PoweringOff"] }]
      : [
          { name: "claiming", reasons: ["Claim", "Creating"] },
          { name: "booting", reasons: ["Booting"] },
        ],
  remove: ({ uses: { host } }) => host.release({ spec: { userDataSecret: null } }),
});

/** Addresses of a pool as endpoints of clusters. */
const claimedCluster = cluster.infraCluster({
  kind: ClaimedCluster,
  machineKind: ClaimedMachine,
  finalizer: `${Group.infrastructure}/claimedcluster`,
  uses: addresses,
  observe: async ({ additional, object, uses: { address } }) => {
    if (additional) return cluster.present();
    const mine = address.mine();
    if (mine !== undefined) return cluster.present({ endpoint: mine.spec });
    if (isBeingDeleted(object) || address.candidates().length > 0) return cluster.absent();
    return cluster.absent({ reason: "NoAddress", message: "no PoolAddress is free; add one" });
  },
  create: ({ uses: { address } }) => claimOne(address, address.candidates()),
  remove: ({ uses: { address } }) => address.release(),
});

/** An infrastructure provider for a pool of hosts, which are objects of the management API. */
export const createClaimedProvider = (): ProviderV1 =>
  defineProvider({
    name: "infra-claimed",
    kinds: [ClaimedCluster, ClaimedMachine],
    register: (host) => {
      host.add(claimedCluster);
      host.add(claimedMachine);
    },
  });
