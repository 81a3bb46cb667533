import assert from "node:assert/strict";
import { infraMachine } from "@capstan/contract/wire";
import { type MachineScene, uidOf } from "./infra-machine-scene.ts";
import type { Case } from "./suite.ts";

const fields = infraMachine.for("v1beta2");

const waitsForCredentials: Case<MachineScene> = async (scene) => {
  await scene.cluster({ withoutSecrets: true });
  const object = await scene.machine();
  await scene.managers.start();
  const [secret = ""] = Object.keys(scene.subject.secrets ?? {});
  await scene.notReady({ words: secret });
  await scene.assertServers(uidOf(object), 0, "without credentials");
  await scene.secrets();
  await scene.ready(60_000);
};

const keepsReadyWithoutCredentials: Case<MachineScene> = async (scene) => {
  await scene.cluster();
  await scene.machine();
  await scene.managers.start();
  const object = await scene.ready();
  await scene.emptySecret();
  const statuses = new Set<string | undefined>();
  const unknown = await scene.eventually((found) => {
    const ready = scene.condition(found, "Ready");
    if (ready?.message !== "") statuses.add(ready?.status);
    return ready?.status === "Unknown";
  }, 1_200_000);
  assert.deepEqual([...statuses], ["True", "Unknown"], "what runs is said to be ready at first, then unknown");
  assert.ok(unknown);
  assert.equal(fields.provisioned.get(unknown), true, "provisioned is never unset");
  await scene.fillSecret();
  await scene.ready(60_000);
  await scene.assertServers(uidOf(object), 1, "afterwards");
};

/** Where the subject names Secrets. */
export const credentialsCases: Readonly<Record<string, Case<MachineScene>>> = {
  "names the missing credentials and goes on when they come": waitsForCredentials,
  "keeps a running machine ready while its Secret is empty for a while, then says that nothing is known":
    keepsReadyWithoutCredentials,
};
