import assert from "node:assert/strict";
import { ConditionType, MachineResource } from "@capstan/contract/wire";
import { checkerAnnotation } from "@capstan/kit/machine";
import type { KubeObject } from "@capstan/schema";
import type { MachineScene } from "./infra-machine-scene.ts";
import type { Case } from "./suite.ts";

const judgesBootstrapping: Case<MachineScene> = async (scene) => {
  await scene.cluster();
  await scene.machine();
  await scene.managers.start();
  await scene.ready();
  const verdict = (found: KubeObject | undefined) => scene.condition(found, ConditionType.bootstrapSucceeded);
  const going = await scene.eventually((found) => verdict(found) !== undefined);
  if (verdict(going)?.status === "Unknown") {
    assert.equal(verdict(going)?.reason, "InProgress");
    assert.match(verdict(going)?.message ?? "", /since/, "the message says since when");
    await scene.core.setStatus(MachineResource, "m", "status.nodeRef", { name: "m" });
  }
  await scene.eventually((found) => verdict(found)?.status === "True", 1_200_000);
};

const judgesNothingUnasked: Case<MachineScene> = async (scene) => {
  await scene.cluster();
  await scene.machine();
  const annotations = { [checkerAnnotation]: "none" };
  await scene.core.patch(scene.subject.machineKind, "m", { metadata: { annotations } });
  await scene.managers.start();
  await scene.ready();
  await scene.environment.pass(30_000);
  assert.equal(scene.condition(await scene.get(), ConditionType.bootstrapSucceeded), undefined);
};

/** Cases about bootstrapping, for every infrastructure. */
export const bootstrapCases: Readonly<Record<string, Case<MachineScene>>> = {
  "says whether bootstrapping succeeded, by the Node where nothing else says it": judgesBootstrapping,
  "says nothing of bootstrapping where nobody is to check it": judgesNothingUnasked,
};
