import type { KindWebhooksV1 } from "@capstan/contract/v1";
import { TinkerbellCluster } from "../api/tinkerbell-cluster.v1beta1.ts";
import { TinkerbellMachineTemplate } from "../api/tinkerbell-machine-template.v1beta1.ts";
import { TinkerbellMachine } from "../api/tinkerbell-machine.v1beta1.ts";
import { checkCluster, defaultedCluster } from "./tinkerbell-cluster.ts";
import { checkMachine, checkTemplate } from "./tinkerbell-machine.ts";

const cluster: KindWebhooksV1<TinkerbellCluster> = {
  kind: TinkerbellCluster,
  default: (object) => ({ object: defaultedCluster(object) }),
  validate: checkCluster,
};

const machine: KindWebhooksV1<TinkerbellMachine> = {
  kind: TinkerbellMachine,
  validate: (object, { old }) => checkMachine(object, old),
};

const template: KindWebhooksV1<TinkerbellMachineTemplate> = {
  kind: TinkerbellMachineTemplate,
  validate: (object, { old }) => checkTemplate(object, old),
};

/** Defaults and rules of the kinds. */
export const tinkerbellWebhooks: readonly KindWebhooksV1[] = [cluster, machine, template] as readonly KindWebhooksV1[];
