import assert from "node:assert/strict";
import type { KubeObject } from "@capstan/schema";
import { CallGate } from "./call-gate.ts";
import { offer } from "./claimed-objects.ts";
import type { MachineScene } from "./infra-machine-scene.ts";
import { uidOf } from "./infra-machine-scene.ts";
import type { Case } from "./suite.ts";

const offered = async ({ core, environment, subject }: MachineScene): Promise<readonly KubeObject[]> => {
  assert.ok(subject.claims);
  const { namespace = "" } = core.key("m");
  return (await environment.client.list(subject.claims.kind, { namespace })).items;
};

/** Another user takes all that are free. */
const takeAll = async (scene: MachineScene): Promise<void> => {
  const { claims } = scene.subject;
  assert.ok(claims);
  for (const { metadata } of await offered(scene)) {
    await scene.core.patch(claims.kind, metadata.name ?? "", claims.taken);
  }
};

const takesAnother: Case<MachineScene> = async (scene) => {
  await scene.cluster();
  const object = await scene.machine();
  let taking: Promise<void> | undefined;
  const onPoint = (name: string): void => {
    if (name === `before ${scene.creating}`) taking ??= takeAll(scene);
  };
  // The claim itself is held back until the others have theirs.
  const gate = new CallGate({ onPoint });
  const around = gate.around.bind(gate);
  gate.around = async (name, call) => {
    const held = async (): ReturnType<typeof call> => {
      await taking;
      return call();
    };
    return around(name, held);
  };
  await scene.managers.start(gate);
  await scene.environment.until(() => taking !== undefined);
  await taking;
  await scene.environment.pass(30_000);
  await scene.assertServers(uidOf(object), 0, "while others have all");
  await scene.notReady({});
  await offer(scene.environment.client, scene.core, scene.subject.claims, ["d"]);
  await scene.ready();
  await scene.assertServers(uidOf(object), 1);
};

const claimsOneEach: Case<MachineScene> = async (scene) => {
  await scene.cluster();
  const object = await scene.machine();
  await scene.managers.start();
  await scene.ready();
  await scene.assertServers(uidOf(object), 1);
  const before = await offered(scene);
  await scene.environment.pass(120_000);
  const versions = (objects: readonly KubeObject[]) => objects.map(({ metadata }) => metadata.resourceVersion);
  assert.deepEqual(versions(await offered(scene)), versions(before), "nothing is claimed or written twice");
};

/** As when the answer to a claim is lost: the next try meets the change of the first one. */
const survivesRepeatedClaims: Case<MachineScene> = async (scene) => {
  await scene.cluster();
  const object = await scene.machine();
  const gate = new CallGate();
  const around = gate.around.bind(gate);
  let repeated = false;
  gate.around = async (name, call) =>
    around(name, async () => {
      if (repeated || name !== scene.creating) return call();
      repeated = true;
      await call();
      return call();
    });
  await scene.managers.start(gate);
  await scene.ready();
  assert.ok(repeated);
  await scene.assertServers(uidOf(object), 1);
};

/** Cases for infrastructures that claim machines from existing objects. */
export const claimCases: Readonly<Record<string, Case<MachineScene>>> = {
  "claims one and leaves the others alone": claimsOneEach,
  "claims one although its claim is sent twice": survivesRepeatedClaims,
  "takes another where somebody else was faster, and waits while there is none": takesAnother,
};
