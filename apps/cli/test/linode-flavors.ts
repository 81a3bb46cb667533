import { MachineResource } from "@capstan/contract/wire";
import { expect } from "vitest";
import { createProgram } from "../src/program.ts";
import { startTestSystem } from "./test-system.ts";

/** What `capstan generate` prints. */
export const generate = async (...args: readonly string[]): Promise<string> => {
  let said = "";
  const program = createProgram({ write: (text) => void (said += text), writeError: (text) => void (said += text) });
  const status = await program.run(["generate", ...args]);
  expect(status, said).toBe(0);
  return said;
};

/** A cluster of that name on Linode. */
export const orchid = (...args: readonly string[]): Promise<string> =>
  generate("cluster", "orchid", "--infrastructure", "linode", "--kubernetes-version", "1.34.0", ...args);

const zone = ["--set", "DNS_ROOT_DOMAIN=capstan.test"];

/** The flavors for kubeadm: how many machines each has with two workers, and what it needs to be told. */
export const linodeFlavors = {
  default: { machines: 3 },
  ha: { machines: 5 },
  "cloud-controller": { machines: 5 },
  machines: { machines: 3 },
  "object-store": { machines: 3 },
  vpc: { machines: 3 },
  vpcless: { machines: 3 },
  dns: { machines: 3, flags: zone },
  "dns-akamai": { machines: 3, flags: zone },
  "large-bootstrap": { machines: 3 },
} satisfies Record<string, { readonly machines: number; readonly flags?: readonly string[] }>;

/** Brings all machines of a flavor up, without a request that Linode would not take. */
export const expectFlavorRuns = async (flavor: keyof typeof linodeFlavors): Promise<void> => {
  const { machines, flags = [] }: { readonly machines: number; readonly flags?: readonly string[] } =
    linodeFlavors[flavor];
  const text = await orchid("--flavor", flavor, "--bootstrap", "kubeadm", "--workers", "2", ...flags);
  expect(text).toContain("apiToken: ${LINODE_TOKEN}\n");
  await using system = await startTestSystem(text);
  await system.untilRunning();
  const { items } = await system.running.client.list(MachineResource);
  expect(items).toHaveLength(machines);
  const { edgeDns, requests } = system.simulator;
  expect([...requests.violations, ...edgeDns.requests.violations]).toEqual([]);
};
