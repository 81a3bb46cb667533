import { createMetalProvider } from "@capstan/infra-metal";
import { TinkerbellCluster, TinkerbellMachine } from "@capstan/infra-metal/api";
import { fnv1a } from "@capstan/kube-values";
import { apiVersionOf } from "@capstan/schema";
import type { ConformanceEnvironment } from "@capstan/testing/environment";
import type { FleetRequest } from "@capstan/testing/fleet";
import { Hardware } from "@capstan/tinkerbell/api";
import type { StartedFleetCloud } from "./fleet-cloud.ts";
import { type FleetWays, leastTimeMs } from "./least-time.ts";
import { installMs, tinkerbellPart } from "./tinkerbell-part.ts";

const metadataUrl = "http://192.0.2.1:7080";

/** Every machine is installed at the same time. Boards switch off at once. */
const ways: FleetWays<never> = {
  up: () => [{ calls: {}, ms: installMs }],
  down: () => [{ calls: {}, ms: 0 }],
};

/** Addresses that no other machine of a fleet has. */
const addressesOf = (name: string): { readonly mac: string; readonly address: string } => {
  const hash = fnv1a(name);
  const bytes = [24, 16, 8, 0].map((shift) => (hash >>> shift) & 255);
  const digits = bytes.map((byte) => byte.toString(16).padStart(2, "0"));
  return { mac: `52:54:${digits.join(":")}`, address: `10.${bytes.slice(1).join(".")}` };
};

const hardwareSpec = (name: string) => {
  const { address, mac } = addressesOf(name);
  return {
    bmcRef: { apiGroup: "bmc.tinkerbell.org", kind: "Machine", name: `${name}-bmc` },
    disks: [{ device: "/dev/sda" }],
    interfaces: [{ dhcp: { mac, ip: { address } }, netboot: { allowPXE: false } }],
  };
};

/**
 * Machines of one's own, as many as are wanted, with Tinkerbell played. No one counts requests there: what there is of a machine is claimed,
 * installed by one workflow in some seconds, and switched off by its board, one thing after another.
 */
export const metalFleet = async (environment: ConformanceEnvironment): Promise<StartedFleetCloud> => {
  const { client } = environment;
  const requests: FleetRequest[] = [];
  const part = tinkerbellPart((method, family) => void requests.push({ method, family, status: 200 }));
  const tinkerbell = await environment.runManager({ providers: [part] });
  return {
    clusterKind: TinkerbellCluster,
    machineKind: TinkerbellMachine,
    providers: () => [createMetalProvider({ metadataUrl })],
    prepare: async ({ namespace }, machines) => {
      for (const name of machines) {
        const metadata = { name, namespace, labels: { rack: namespace } };
        const spec = hardwareSpec(`${namespace}-${name}`);
        await client.create(Hardware, { apiVersion: apiVersionOf(Hardware), kind: Hardware.kind, metadata, spec });
      }
    },
    clusterSpec: () => ({ controlPlaneEndpoint: { host: "10.3.0.100" } }),
    machineSpec: ({ namespace }) => ({
      hardwareAffinity: { required: [{ labelSelector: { matchLabels: { rack: namespace } } }] },
    }),
    requests: () => requests,
    leastMs: (phase, size) => leastTimeMs(ways[phase](size), {}),
    stop: () => tinkerbell.stop(),
  };
};
