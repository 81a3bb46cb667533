import { readFileSync } from "node:fs";
import { KubeadmConfig } from "@capstan/bootstrap-kubeadm/api";
import { Group } from "@capstan/contract";
import { MachineResource } from "@capstan/contract/wire";
import { MachineDeployment } from "@capstan/core/api";
import { LinodeMachine } from "@capstan/infra-linode/api";
import { apiVersionOf, type Resource } from "@capstan/schema";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { example, startTestSystem, type TestSystem } from "./test-system.ts";

const namespace = "default";

const defaults = `apiVersion: v1
kind: ConfigMap
metadata:
  name: default-templates
  labels: {capstan.dev/default-templates: ""}
data:
  bootstrap: KubeadmConfigTemplate.${Group.bootstrap}/orchid-workers
  infrastructure: LinodeMachineTemplate.${Group.infrastructure}/orchid-workers
`;
const machine = `apiVersion: ${apiVersionOf(MachineResource)}
kind: Machine
metadata: {name: bare}
spec: {clusterName: orchid, version: v1.35.4}
`;
const deployment = (apiVersion: string): string => `apiVersion: ${apiVersion}
kind: MachineDeployment
metadata: {name: plain}
spec:
  clusterName: orchid
  replicas: 1
  selector: {matchLabels: {}}
  template: {spec: {clusterName: orchid, version: v1.35.4, bootstrap: {}}}
`;

describe("default templates of a namespace", () => {
  let system: TestSystem;
  beforeAll(async () => {
    system = await startTestSystem(readFileSync(example, "utf8"));
    await system.untilRunning();
  });
  afterAll(() => system[Symbol.asyncDispose]());

  it("are missed where there are none", async () => {
    await expect(system.apply(machine)).rejects.toThrow(/spec.infrastructureRef/);
  });

  it("make Nodes of Machines that say nothing about their bootstrap and infrastructure", async () => {
    await system.apply([defaults, machine, deployment(apiVersionOf(MachineDeployment))].join("---\n"));
    await system.until(
      async () => (await system.running.client.list(MachineResource, { namespace })).items.length === 6,
    );
    await system.untilRunning();
    const owner = { ownerReferences: [expect.objectContaining({ kind: "Machine", name: "bare", controller: true })] };
    for (const kind of [KubeadmConfig, LinodeMachine] as readonly Resource[]) {
      const made = await system.running.client.get(kind, { namespace, name: "bare" });
      expect(made.metadata).toMatchObject(owner);
    }
    const plain = await system.running.client.get(MachineDeployment, { namespace, name: "plain" });
    expect(plain.metadata.annotations?.["capstan.dev/defaulted-from"]).toMatch(/filled in from ConfigMap/);
    expect(plain.spec.template.spec.infrastructureRef.name).toBe("orchid-workers");
  });

  it("stay what they were for what was made with them", async () => {
    await system.apply(defaults.replaceAll("orchid-workers", "others"));
    await system.apply(deployment(apiVersionOf(MachineDeployment)));
    const plain = await system.running.client.get(MachineDeployment, { namespace, name: "plain" });
    expect(plain.spec.template.spec.infrastructureRef.name).toBe("orchid-workers");
  });

  it("are refused where a name leads nowhere", async () => {
    const named = machine.replace("name: bare", 'name: odd, annotations: {capstan.dev/default-templates: "nowhere"}');
    await expect(system.apply(named)).rejects.toThrow(/names ConfigMap nowhere, which does not exist/);
  });
});
