import { Annotation, Group } from "@capstan/contract";
import { KubeadmConfig } from "../objects.ts";
import {
  configObject,
  giveContents,
  initialized,
  isMade,
  machine,
  makeConfiguredMachine,
  pool,
  removeToken,
  says,
  secret,
} from "./bootstrap-steps.ts";
import { wholeIgnitionSpec } from "./bootstrap-specs.ts";
import { playedKinds } from "./played-kinds.ts";
import { changed, isGone, removed, reported, scenario, type Scenario, step } from "./scenario.ts";
import { coreKinds, MachinePool } from "./stage.ts";
import type { AnyObject } from "../world.ts";

const { cluster: clusters } = coreKinds;
const paused = { metadata: { annotations: { [Annotation.paused]: "" } } };
const letGo = { metadata: { annotations: { [Annotation.paused]: null } } };

/** What becomes of configs whose owners, data or tokens come, stay and go. */
export const lifeScenarios: readonly Scenario[] = [
  scenario(
    "a config of nobody",
    initialized(),
    step("a config", (play) => play.create(configObject("c", { verbosity: 2 }))),
    step("a Machine", (play) => makeConfiguredMachine(play, "c", {}), isMade("c")),
  ),
  scenario(
    "a Machine of no Cluster",
    machine("w", {}, () => true),
  ),
  scenario(
    "a Machine with data of its own",
    initialized(),
    step("a Machine", async (play) => {
      await play.create(configObject("w"), secret("mine", { value: "a" }));
      const bootstrap = {
        configRef: { apiGroup: Group.bootstrap, kind: KubeadmConfig.kind, name: "w" },
        dataSecretName: "mine",
      };
      await makeConfiguredMachine(play, "w", { machine: { bootstrap } });
    }),
  ),
  scenario(
    "data without a status",
    initialized(),
    machine("w"),
    step("the status is lost", async (play) => {
      const body = { status: { initialization: null, dataSecretName: null, conditions: null, deprecated: null } };
      await play.stage.client.patch(KubeadmConfig, play.key("w"), { type: "merge", body }, { subresource: "status" });
    }),
  ),
  scenario(
    "data without an owner",
    initialized(),
    step("data", (play) => play.create(secret("w", { value: "a" }))),
    machine("w", {}, () => true),
  ),
  scenario(
    "data of somebody else",
    initialized(),
    step("data", async (play) => {
      const { items } = await play.stage.client.list<AnyObject>(clusters, { namespace: play.namespace });
      const { uid } = items[0].metadata;
      const owner = { apiVersion: `${Group.core}/v1beta2`, kind: "Cluster", name: "prod", uid, controller: true };
      await play.create(secret("w", { value: "a" }, { ownerReferences: [owner] }));
    }),
    machine("w", {}, () => true),
  ),
  scenario(
    "a config is paused",
    initialized(),
    machine("w", { metadata: { annotations: { [Annotation.paused]: "" } } }, says("w", "Paused", "True")),
    changed("let go", KubeadmConfig, "w", letGo, isMade("w")),
    changed("paused again", KubeadmConfig, "w", paused, says("w", "Paused", "True")),
  ),
  scenario(
    "a Cluster is paused",
    initialized({ paused: true }),
    machine("w", {}, says("w", "Paused", "True")),
    changed("let go", clusters, "prod", { spec: { paused: false } }, isMade("w")),
  ),
  scenario("a config is deleted", initialized(), machine("w"), removed("deleted", KubeadmConfig, "w")),
  scenario(
    "a token is lost",
    initialized(),
    machine("w"),
    step("its Secret goes", async (play) => {
      await removeToken(play, "w");
    }),
  ),
  scenario(
    "a config of the older version",
    initialized(),
    step(
      "a Machine",
      async (play) => {
        await play.stage.client.create(
          { ...KubeadmConfig, version: "v1beta1" },
          {
            apiVersion: `${Group.bootstrap}/v1beta1`,
            kind: KubeadmConfig.kind,
            metadata: { name: "w", namespace: play.namespace },
            spec: {
              joinConfiguration: {
                nodeRegistration: { kubeletExtraArgs: { "cloud-provider": "external" } },
                discovery: { timeout: "3m0s" },
              },
              useExperimentalRetryJoin: true,
              files: [{ path: "/a", content: "a" }],
            },
          },
        );
        await makeConfiguredMachine(play, "w", {});
      },
      isMade("w"),
    ),
  ),
  scenario(
    "a MachinePool",
    initialized(),
    pool(),
    step("its token goes", (play) => removeToken(play, "pool")),
    changed("more", MachinePool, "pool", { spec: { replicas: 3 } }),
    reported("its machines", playedKinds.pool, "pool", { initialization: { provisioned: true }, replicas: 0 }),
    removed("deleted", MachinePool, "pool", isGone(MachinePool, "pool")),
  ),
  scenario("a MachinePool by Ignition", initialized(), giveContents, pool(wholeIgnitionSpec)),
];
