import { describe, expect, it } from "vitest";
import { checkKubelet } from "../src/kubeadm/kubelet-check.ts";
import { runKubeadm } from "../src/kubeadm/run-kubeadm.ts";
import { modelMachine, modelPreflight, runOn } from "./preflight/model-kubeadm.ts";
import { scenarios } from "./preflight/scenarios.ts";

const kubeadm = "v1.35.4";
const all = scenarios(35);
const scenario = (name: string) => {
  const found = all[name];
  if (found === undefined) throw new Error(`there is no scenario ${name}`);
  return { kubelet: kubeadm, ...found };
};

describe("kubeadm on a strict machine", () => {
  it.each(Object.keys(all))("says something, and ends: %s", async (name) => {
    const lines = await modelPreflight(scenario(name), kubeadm);
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.join("\n")).not.toMatch(/undefined|\[object/);
  });

  it("names each check that fails, then what kubeadm ends with", async () => {
    expect(await modelPreflight({ ...scenario("one CPU"), forwarding: false }, kubeadm)).toEqual([
      "[preflight] Running pre-flight checks",
      "[preflight] Some fatal errors occurred:",
      "\t[ERROR NumCPU]: the number of available CPUs 1 is less than the required 2",
      "\t[ERROR FileContent--proc-sys-net-ipv4-ip_forward]: /proc/sys/net/ipv4/ip_forward contents are not set to 1",
      "[preflight] If you know what you are doing, you can make a check non-fatal with `--ignore-preflight-errors=...`",
      "error: error execution phase preflight: preflight checks failed",
      "To see the stack trace of this error execute with --v=5 or higher",
    ]);
  });

  it("has them in its error before v1.34", async () => {
    const old = { ...scenarios(33)["one CPU"], kubelet: "v1.33.0" } as ReturnType<typeof scenario>;
    const lines = await modelPreflight(old, "v1.33.0");
    expect(lines.slice(1, 3)).toEqual([
      "error execution phase preflight: [preflight] Some fatal errors occurred:",
      "\t[ERROR NumCPU]: the number of available CPUs 1 is less than the required 2",
    ]);
  });

  it("waits in vain for a kubelet that does not run with swap", async () => {
    const machine = modelMachine(scenario("swap"), kubeadm);
    const began = machine.clock.now();
    const status = await runOn(machine, runKubeadm(machine, ["init", "--config=/run/kubeadm.yaml"], { kubeadmMs: 0 }));
    expect(status).toBe(1);
    expect(machine.clock.now() - began).toBeGreaterThanOrEqual(240_000);
    const printed = machine.console.text();
    expect(printed).toContain("[WARNING Swap]: swap is supported for cgroup v2 only.");
    expect(printed).toContain("kubelet: failed to run Kubelet: running with swap on is not supported");
    expect(printed).toContain(
      "error: error execution phase wait-control-plane: failed while waiting for the kubelet to start: The HTTP call equal to 'curl -sSL http://127.0.0.1:10248/healthz' returned error",
    );
  });

  it("starts a kubelet that is told to run with swap, and none without a runtime", async () => {
    const machine = modelMachine(scenario("swap"), kubeadm);
    const registration = { name: "node-0", taints: [], kubeletArgs: {} };
    const settings = { kubelet: { failSwapOn: false }, registration, given: {} };
    await checkKubelet(machine, settings, "kubelet-start");
    const without = modelMachine(scenario("no runtime, in a join"), kubeadm);
    await expect(runOn(without, checkKubelet(without, settings, "kubelet-start"))).rejects.toMatchObject({
      code: "guest.kubeadm_failed",
      details: { phase: "kubelet-start" },
    });
  });
});
