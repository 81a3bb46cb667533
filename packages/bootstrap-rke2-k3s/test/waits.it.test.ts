import { Group, Label } from "@capstan/contract";
import { conditionOf, MachineResource, SecretResource } from "@capstan/contract/wire";
import { fromBase64, toBase64 } from "@capstan/kube-values";
import { apiVersionOf, type KubeObject } from "@capstan/schema";
import { ConformanceEnvironment, CorePart, SceneManagers } from "@capstan/testing/environment";
import { expect, it } from "vitest";
import { KThreesConfig, RKE2Config, RKE2ControlPlane } from "../src/api.ts";
import { createBootstrapRke2K3sProvider } from "../src/index.ts";

it("an agent that waits for a server's address is woken by its control plane, and asks nobody meanwhile", async () => {
  const environment = await ConformanceEnvironment.start([KThreesConfig, RKE2Config, RKE2ControlPlane]);
  const core = new CorePart(environment.client, await environment.namespace());
  const managers = new SceneManagers(environment, { provider: () => createBootstrapRke2K3sProvider() }, core.namespace);
  const controlPlaneRef = { apiGroup: Group.controlPlane, kind: RKE2ControlPlane.kind, name: "plane" };
  await core.createCluster({ controlPlaneEndpoint: { host: "192.0.2.10", port: 6443 }, controlPlaneRef });
  await core.infrastructureProvisioned();
  await core.controlPlaneInitialized();
  await core.createSecret("orchid-token", { value: toBase64("token") });
  await environment.client.create(RKE2ControlPlane, {
    apiVersion: apiVersionOf(RKE2ControlPlane),
    kind: RKE2ControlPlane.kind,
    metadata: { ...core.key("plane"), labels: { [Label.clusterName]: core.clusterName } },
    spec: { version: "v1.35.4+rke2r1", registrationMethod: "internal-only-ips", rolloutStrategy: {} },
  });
  const configRef = { apiGroup: RKE2Config.group, kind: RKE2Config.kind, name: "b" };
  const machine = await core.createMachine("m", { version: "v1.35.4+rke2r1", bootstrap: { configRef } });
  await core.createOwned(RKE2Config, "b", {}, { kind: MachineResource, object: machine, controller: true });
  await managers.start();
  const config = (test: (object?: KubeObject) => boolean) =>
    environment.eventually<KubeObject>(RKE2Config, core.key("b"), test);
  await config(
    (object) => object !== undefined && conditionOf(object, "DataSecretAvailable")?.reason === "WaitingForServer",
  );
  const { resourceVersion } = (await environment.client.get(RKE2Config, core.key("b"))).metadata;
  await environment.pass(120_000);
  expect((await environment.client.get(RKE2Config, core.key("b"))).metadata.resourceVersion).toBe(resourceVersion);
  const body = { status: { availableServerIPs: ["10.8.0.4"] } };
  await environment.client.patch(
    RKE2ControlPlane,
    core.key("plane"),
    { type: "merge", body },
    { subresource: "status" },
  );
  await config((object) => object !== undefined && conditionOf(object, "Ready")?.status === "True");
  const secret = (await environment.client.get(SecretResource, core.key("b"))) as KubeObject & {
    readonly data: Readonly<Record<string, string>>;
  };
  expect(fromBase64(secret.data["value"] ?? "")).toContain("server: https://10.8.0.4:9345");
  await managers.stopAll();
  await environment.stop();
});
