import type { KindWebhooksV1 } from "@capstan/contract/v1";
import { forbidden } from "@capstan/kit/admission";
import { BmcMachine } from "../api/bmc-machine.ts";
import { Hardware } from "../api/hardware.ts";
import { Template } from "../api/template.ts";
import { WorkflowRuleSet } from "../api/workflow-rule-set.ts";
import { Workflow } from "../api/workflow.ts";
import { connectionCauses } from "../bmc/connection-causes.ts";
import { hardwareCauses } from "./hardware-causes.ts";
import { templateCauses } from "./template-causes.ts";
import { workflowCauses } from "./workflow-causes.ts";

const bmcMachine: KindWebhooksV1<BmcMachine> = {
  kind: BmcMachine,
  validate: ({ spec }) => (spec === undefined ? [] : connectionCauses(spec.connection, "spec.connection")),
};

const hardware: KindWebhooksV1<Hardware> = {
  kind: Hardware,
  validate: (object, { old }) => hardwareCauses(object, old),
};

const template: KindWebhooksV1<Template> = {
  kind: Template,
  validate: (object, { old }) => templateCauses(object, old),
};

const workflow: KindWebhooksV1<Workflow> = {
  kind: Workflow,
  validate: (object, { old }) => workflowCauses(object, old),
};

const ruleSet: KindWebhooksV1<WorkflowRuleSet> = {
  kind: WorkflowRuleSet,
  validate: ({ spec = {} }) =>
    Object.keys(spec).map((name) =>
      forbidden(`spec.${name}`, "machines are not enrolled by rules yet; make a Workflow for each"),
    ),
};

/** Rules of the kinds beyond their schemas. They read nothing but the object. */
export const webhooks = [bmcMachine, hardware, template, workflow, ruleSet] as readonly KindWebhooksV1[];
