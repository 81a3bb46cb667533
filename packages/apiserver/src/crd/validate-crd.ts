import type { Cause } from "@capstan/schema";
import { forbidden, immutable, invalid, oneOf, required } from "../builtin/validation/causes.ts";
import type { WebhookClientConfig } from "../webhooks/webhook-endpoint.ts";
import type { CrdConversion, CustomResourceDefinition } from "./crd-types.ts";
import { isTrue } from "./crd-types.ts";
import { crdNameCauses } from "./validate-names.ts";
import { crdVersionCauses, storedVersionCauses } from "./validate-versions.ts";

const urlCauses = (url: string, field: string): readonly Cause[] => {
  if (!URL.canParse(url)) return [required(field, "url must be a valid URL")];
  const { protocol, username, search, hash, host } = new URL(url);
  return [
    ...(protocol === "https:" ? [] : [invalid(field, url, "'https' is the only allowed URL scheme")]),
    ...(host === "" ? [invalid(field, url, "host must be specified")] : []),
    ...(username === "" ? [] : [invalid(field, url, "user information is not permitted in the URL")]),
    ...(search === "" ? [] : [invalid(field, url, "query parameters are not permitted in the URL")]),
    ...(hash === "" ? [] : [invalid(field, url, "fragments are not permitted in the URL")]),
  ];
};

const clientCauses = (config: WebhookClientConfig | undefined, field: string): readonly Cause[] => {
  if (config === undefined) return [required(field, "required when strategy is set to Webhook")];
  const { url, service } = config;
  if ((url === undefined) === (service === undefined)) {
    return [required(field, "exactly one of url or service is required")];
  }
  if (url !== undefined) return urlCauses(url, `${field}.url`);
  return [
    ...((service?.name ?? "") === "" ? [required(`${field}.service.name`, "service name is required")] : []),
    ...((service?.namespace ?? "") === ""
      ? [required(`${field}.service.namespace`, "service namespace is required")]
      : []),
  ];
};

const reviewCauses = (versions: readonly string[], field: string): readonly Cause[] => {
  if (versions.length === 0) return [required(field)];
  return versions.some((version) => version === "v1" || version === "v1beta1")
    ? []
    : [invalid(field, versions, "must include at least one of v1, v1beta1")];
};

const conversionCauses = (conversion: CrdConversion | undefined): readonly Cause[] => {
  const at = "spec.conversion";
  const { strategy = "None", webhook } = conversion ?? {};
  if (strategy === "Webhook") {
    return [
      ...clientCauses(webhook?.clientConfig, `${at}.webhookClientConfig`),
      ...reviewCauses(webhook?.conversionReviewVersions ?? [], `${at}.conversionReviewVersions`),
    ];
  }
  return [
    ...oneOf(`${at}.strategy`, strategy, ["None", "Webhook"]),
    ...(webhook?.clientConfig === undefined
      ? []
      : [forbidden(`${at}.webhookClientConfig`, "should not be set when strategy is not set to Webhook")]),
  ];
};

/** Everything that is wrong with a definition. `old` is the state before an update. */
export const crdCauses = (crd: CustomResourceDefinition, old?: CustomResourceDefinition): readonly Cause[] => {
  if ((crd.spec as object | undefined) === undefined) return [required("spec")];
  if ((crd.spec.names as object | undefined) === undefined) return [required("spec.names")];
  if (!Array.isArray(crd.spec.versions)) return [required("spec.versions")];
  return [
    ...crdNameCauses(crd),
    ...crdVersionCauses(crd, old),
    ...conversionCauses(crd.spec.conversion),
    ...(crd.spec.preserveUnknownFields === true
      ? [
          invalid(
            "spec.preserveUnknownFields",
            true,
            "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead",
          ),
        ]
      : []),
    ...storedVersionCauses(crd),
    ...(old === undefined ? [] : immutableCauses(crd, old)),
  ];
};

/** Scope and kind stay once the definition is established; the group always. */
const immutableCauses = (crd: CustomResourceDefinition, old: CustomResourceDefinition): readonly Cause[] => {
  const { spec } = crd;
  const before = old.spec;
  return [
    ...(spec.group === before.group ? [] : [immutable("spec.group", spec.group)]),
    ...(spec.names.plural === before.names.plural ? [] : [immutable("spec.names.plural", spec.names.plural)]),
    ...(isTrue(old, "Established") && spec.scope !== before.scope ? [immutable("spec.scope", spec.scope)] : []),
    ...(isTrue(old, "Established") && spec.names.kind !== before.names.kind
      ? [immutable("spec.names.kind", spec.names.kind)]
      : []),
  ];
};
