import type { KubeObject } from "@capstan/schema";
import { changed, filled, listOf, type Part, partOf, specOf, withSpec } from "../../values/object-parts.ts";
import { bindingCauses, policyCauses } from "../validation/admission-policy.ts";
import { configurationCauses } from "../validation/webhook-configuration.ts";
import type { KindBehaviour } from "./kind-behaviour.ts";

const matchDefaults = { matchPolicy: "Equivalent", namespaceSelector: {}, objectSelector: {} };

const withScope = (rules: unknown): readonly unknown[] =>
  listOf(rules).map((rule) => filled(partOf(rule), { scope: "*" }));

const webhookDefaults = (value: unknown, extra: Part): unknown => {
  const webhook = filled(partOf(value), { failurePolicy: "Fail", timeoutSeconds: 10, ...matchDefaults, ...extra });
  const reached = changed(webhook, "clientConfig", (config) =>
    changed(partOf(config), "service", (service) => filled(partOf(service), { port: 443 })),
  );
  return changed(reached, "rules", withScope);
};

const configurations = (extra: Part): KindBehaviour => ({
  applyDefaults: (object) =>
    changed(object, "webhooks", (webhooks) =>
      listOf(webhooks).map((webhook) => webhookDefaults(webhook, extra)),
    ) as KubeObject,
  strategy: {
    validate: configurationCauses,
  },
});

export const validatingWebhooks = configurations({});

export const mutatingWebhooks = configurations({ reinvocationPolicy: "Never" });

const withMatchDefaults = (value: unknown): unknown => {
  const match = filled(partOf(value), matchDefaults);
  return changed(changed(match, "resourceRules", withScope), "excludeResourceRules", withScope);
};

export const admissionPolicies: KindBehaviour = {
  applyDefaults: (object) =>
    withSpec(object, changed(filled(specOf(object), { failurePolicy: "Fail" }), "matchConstraints", withMatchDefaults)),
  strategy: {
    prepareForCreate: (object) => ({ ...object, status: {} }),
    validate: policyCauses,
  },
  subresources: [{ name: "status", verbs: ["get", "patch", "update"], behaviour: { type: "status" } }],
};

export const admissionPolicyBindings: KindBehaviour = {
  applyDefaults: (object) => withSpec(object, changed(specOf(object), "matchResources", withMatchDefaults)),
  strategy: {
    validate: bindingCauses,
  },
};
