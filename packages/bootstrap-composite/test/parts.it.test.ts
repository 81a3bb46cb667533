import { Group } from "@capstan/contract";
import { bootstrapConfigStatus } from "@capstan/contract/v1";
import {
  conditionOf,
  contractLabel,
  controllerOf,
  MachineResource,
  SecretResource,
  valueAt,
} from "@capstan/contract/wire";
import { fromBase64, toBase64 } from "@capstan/kube-values";
import { kind, object, resource } from "@capstan/schema";
import { ConformanceEnvironment, CorePart, type RunningManager } from "@capstan/testing/environment";
import { afterAll, beforeAll, expect, it } from "vitest";
import { CompositeConfig, CompositeConfigTemplate } from "../src/api.ts";
import { createBootstrapCompositeProvider } from "../src/index.ts";

/** A config of another provider, whose data the test makes. */
const AcmeConfig = kind({
  group: Group.bootstrap,
  version: "v1beta1",
  kind: "AcmeConfig",
  plural: "acmeconfigs",
  labels: { [contractLabel("v1beta2")]: "v1beta1" },
  description: "Bootstrap data that somebody makes.",
  spec: object({}),
  status: bootstrapConfigStatus({}),
});

const EventResource = resource({ group: "", version: "v1", kind: "Event", plural: "events" });

let environment: ConformanceEnvironment;
let running: RunningManager;
beforeAll(async () => {
  environment = await ConformanceEnvironment.start([AcmeConfig, CompositeConfig, CompositeConfigTemplate]);
  running = await environment.runManager({ providers: [createBootstrapCompositeProvider()] });
});
afterAll(async () => {
  await running.stop();
  await environment.stop();
});

/** A Machine whose CompositeConfig `whole` takes the config `own` of another provider, which is the Machine's that is named. */
const composed = async (data: Readonly<Record<string, string>>, { owner = "m" } = {}): Promise<CorePart> => {
  const core = new CorePart(environment.client, await environment.namespace());
  await core.createCluster();
  await core.infrastructureProvisioned();
  const configRef = { apiGroup: CompositeConfig.group, kind: CompositeConfig.kind, name: "whole" };
  const machine = await core.createMachine("m", { bootstrap: { configRef } });
  const other = owner === "m" ? machine : await core.createMachine(owner, { bootstrap: { dataSecretName: "x" } });
  await core.createOwned(AcmeConfig, "own", {}, { kind: MachineResource, object: other, controller: true });
  const encoded = Object.entries(data).map(([key, value]) => [key, toBase64(value)] as const);
  await core.createSecret("own", Object.fromEntries(encoded));
  await core.setStatus(AcmeConfig, "own", "status", {
    dataSecretName: "own",
    initialization: { dataSecretCreated: true },
  });
  const parts = [{ name: "base", configRef: { apiGroup: AcmeConfig.group, kind: AcmeConfig.kind, name: "own" } }];
  const ownedBy = { kind: MachineResource, object: machine, controller: true };
  await core.createOwned(CompositeConfig, "whole", { parts }, ownedBy);
  return core;
};

/** What the CompositeConfig says of its data, once that is so. */
const says = async (core: CorePart, status: "False" | "True"): Promise<string | undefined> => {
  let said: ReturnType<typeof conditionOf>;
  await environment.eventually<CompositeConfig>(CompositeConfig, core.key("whole"), (config) => {
    said = config && conditionOf(config, "DataSecretAvailable");
    return said?.status === status;
  });
  return said?.message;
};

/** Waits for an Event with the reason of a failure. */
const happens = ({ namespace }: CorePart, reason: string): Promise<void> =>
  environment.until(async () => {
    const { items } = await environment.client.list(EventResource, { namespace });
    return items.some((event) => event["reason"] === reason);
  });

it("takes the data of a config that is the Machine's", async () => {
  const core = await composed({ value: "#cloud-config\nruncmd: [echo base]\n", format: "cloud-config" });
  await says(core, "True");
  const secret = await environment.client.get(SecretResource, core.key("whole"));
  expect(fromBase64(String(valueAt(secret, "data.value")))).toContain("echo base");
});

it("leaves the config of another Machine alone, by its name", async () => {
  const core = await composed({ value: "x" }, { owner: "other" });
  expect(await says(core, "False")).toBe(
    `AcmeConfig ${core.namespace}/own belongs to Machine other; CompositeConfig whole needs its own`,
  );
  await happens(core, "ConfigTaken");
  const own = await environment.client.get(AcmeConfig, core.key("own"));
  expect(controllerOf(own)?.name).toBe("other");
});

it("refuses data that is no cloud-config, with the part and its format", async () => {
  const core = await composed({ value: "{}", format: "ignition" });
  expect(await says(core, "False")).toBe(
    "spec.parts[base]: AcmeConfig own produces format ignition; only cloud-config can be combined",
  );
  await happens(core, "FormatUnsupported");
});
