import { MachineResource, NodeResource } from "@capstan/contract/wire";
import { connect, createClient, loadKubeconfig } from "@capstan/kube";
import { expect, it } from "vitest";
import { createProgram } from "../src/program.ts";
import { alarmsOf } from "./alarms.ts";
import { startAzureSystem } from "./azure-system.ts";

const generate = async (...args: readonly string[]): Promise<string> => {
  let said = "";
  const program = createProgram({ write: (text) => void (said += text), writeError: (text) => void (said += text) });
  const status = await program.run(["generate", "cluster", "orchid", "-i", "azure", ...args]);
  expect(status, said).toBe(0);
  return said;
};

const kubeadm = ["--kubernetes-version", "1.34.0"];

it("prints the flavor spot, whose workers are spot instances", async () => {
  const text = await generate("--flavor", "spot", "--workers", "2", ...kubeadm);
  expect(text).toContain("clientSecret: ${AZURE_CLIENT_SECRET}\n");
  await using system = await startAzureSystem(text);
  await system.untilRunning();
  const workers = system.simulator.state.resources.filter(
    ({ name, type }) => type.endsWith("/virtualMachines") && name.includes("workers"),
  );
  expect(workers.map(({ properties }) => properties["priority"])).toEqual(["Spot", "Spot"]);
});

it("prints the flavor internal, whose API server is reached inside of the network alone, and which runs", async () => {
  const text = await generate("--flavor", "internal", "--control-plane-machine-count", "3", ...kubeadm);
  await using system = await startAzureSystem(text);
  await system.until(async () => (await system.running.client.list(MachineResource)).items.length === 4);
  await system.untilRunning();
  expect(await alarmsOf(system)).toEqual([]);
  const { requests, state } = system.simulator;
  const masters = state.resources.filter(
    ({ name, type }) => type.endsWith("/virtualMachines") && !name.includes("worker"),
  );
  expect(masters.map(({ outer }) => String(outer["zones"])).toSorted(), "one in each zone").toEqual(["1", "2", "3"]);
  const named = (ending: string) => state.resources.filter(({ type }) => type.endsWith(`/${ending}`));
  expect(named("A").map(({ properties }) => properties)).toMatchObject([{ aRecords: [{ ipv4Address: "10.0.0.100" }] }]);
  expect(named("publicIPAddresses").map(({ name }) => name)).not.toContain("pip-orchid-apiserver");
  expect(requests.violations).toEqual([]);
  const [{ path } = expect.fail("there is no kubeconfig")] = await system.running.workloadKubeconfigs();
  const workload = connect({ access: await loadKubeconfig({ file: path }), clock: system.clock });
  const { items } = await createClient(workload).list(NodeResource);
  await workload.close();
  expect(items).toHaveLength(4);
});

it("lists the flavors", async () => {
  const listed = await generate("--list-flavors");
  expect(listed.split("\n").map((line) => line.split(" ")[0])).toEqual([
    "default",
    "ha",
    "machines",
    "internal",
    "machinepool",
    "spot",
    "default",
    "default",
    "",
  ]);
});
