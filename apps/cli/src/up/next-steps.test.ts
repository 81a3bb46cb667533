import { describe, expect, it } from "vitest";
import { closingWords, nextSteps } from "./next-steps.ts";

const orchid = { namespace: "default", name: "orchid", path: "/data/orchid.kubeconfig" };
const standing = {
  kubeconfig: "/data/kubeconfig",
  workloads: [orchid],
  scalable: ["default", "team"],
  running: true,
  stays: true,
  outlives: false,
};

const textsOf = (change: Partial<typeof standing>): readonly string[] =>
  nextSteps({ ...standing, ...change }).flatMap(({ text }) => text.split("\n").map((line) => line.trim()));

describe("nextSteps", () => {
  it("of a command that stays names every server", () => {
    expect(textsOf({})).toEqual([
      "every Machine is running",
      "management kubeconfig: /data/kubeconfig",
      "kubeconfig of cluster orchid: /data/orchid.kubeconfig",
      "try next:",
      "kubectl --kubeconfig /data/kubeconfig get clusters,machines -A",
      "kubectl --kubeconfig /data/orchid.kubeconfig get nodes",
      "kubectl --kubeconfig /data/kubeconfig scale machinedeployment --all --replicas 5",
      "kubectl --kubeconfig /data/kubeconfig delete cluster orchid",
    ]);
  });

  it("scales nothing where there is no MachineDeployment", () => {
    expect(textsOf({ scalable: ["other"] }).join("\n")).not.toContain("scale");
  });

  it("of one that ends with its simulated cloud names nothing that is gone", () => {
    expect(textsOf({ stays: false })).toEqual(["every Machine is running"]);
  });

  it("of one that ends beside a real cloud names the workload clusters", () => {
    expect(textsOf({ stays: false, outlives: true })).toEqual([
      "every Machine is running",
      "kubeconfig of cluster orchid: /data/orchid.kubeconfig",
      "try next:",
      "kubectl --kubeconfig /data/orchid.kubeconfig get nodes",
    ]);
  });

  it("does not claim that Machines run", () => {
    expect(textsOf({ running: false, workloads: [] })).toEqual([
      "management kubeconfig: /data/kubeconfig",
      "try next:",
      "kubectl --kubeconfig /data/kubeconfig get clusters,machines -A",
    ]);
  });

  it("names the namespace of a cluster that is not in default, and quotes paths", () => {
    const team = { namespace: "team", name: "orchid", path: "/my data/team.orchid.kubeconfig" };
    expect(textsOf({ workloads: [team] }).slice(2)).toEqual([
      "kubeconfig of cluster team/orchid: /my data/team.orchid.kubeconfig",
      "try next:",
      "kubectl --kubeconfig /data/kubeconfig get clusters,machines -A",
      "kubectl --kubeconfig '/my data/team.orchid.kubeconfig' get nodes",
      "kubectl --kubeconfig /data/kubeconfig -n team scale machinedeployment --all --replicas 5",
      "kubectl --kubeconfig /data/kubeconfig -n team delete cluster orchid",
    ]);
  });
});

it.each([
  [
    { dataDir: "/d", temporary: false, real: false },
    "state is kept in /d; rerun the same command to resume; rm -r /d removes it",
  ],
  [
    { dataDir: "/d", temporary: false, real: true },
    "state is kept in /d; rerun the same command to resume; capstan down --data-dir /d deletes its Clusters; until then, servers at the cloud keep running and are billed",
  ],
  [{ dataDir: "/d", temporary: true, real: false }, "no state is kept"],
  [
    { dataDir: "/d", temporary: true, real: true },
    "no state is kept; servers at the cloud keep running and are billed: remove them there",
  ],
])("the end of %o says what is left", (facts, text) => {
  expect(closingWords(facts)).toMatchObject({ type: "stopped", text });
});
